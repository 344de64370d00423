import { describe, expect, test } from '@jest/globals';
import { DEFAULT_THEME } from '../../../shared/slips/default-theme.ts';
import { parseSlipTheme } from '../../../shared/slips/theme.ts';

const AUTHORISATION = { reference: 'TEST/2026/001', authority: 'An invented authority' };
const SUPPLIED = {
  ...DEFAULT_THEME,
  authorisation: AUTHORISATION,
  wording: { ...DEFAULT_THEME.wording, title: 'Wording of the authority', steps: [] },
};

describe('slip themes:', () => {
  test('the default theme says that NIMC did not issue the slip', () => {
    expect(DEFAULT_THEME.wording.title).toBe('NIN verification record');
    expect(DEFAULT_THEME.wording.subtitle).toContain('Not issued by NIMC');
    expect(DEFAULT_THEME.authorisation).toBeNull();
  });

  test('a supplied theme without an authorisation is rejected', () => {
    expect(() => parseSlipTheme(DEFAULT_THEME)).toThrow(/authorisation/);
  });

  test.each([
    ['a colour by name', { colours: { ...DEFAULT_THEME.colours, ink: 'black' } }, /colours\.ink/],
    ['an unknown entry', { logo: 'x' }, /logo/],
    [
      'path data that is not a path',
      {
        artwork: {
          ...DEFAULT_THEME.artwork,
          emblem: { kind: 'paths', width: 1, height: 1, paths: [{ d: 'M0 0 (' }] },
        },
      },
      /artwork\.emblem\.paths\.0\.d/,
    ],
    [
      'artwork that is not a picture',
      { artwork: { ...DEFAULT_THEME.artwork, logo: { kind: 'image', base64: 'R0lGODlh' } } },
      /artwork\.logo\.base64/,
    ],
  ])('a theme with %s is rejected, and the error names the entry', (_, change, path) => {
    expect(() => parseSlipTheme({ ...SUPPLIED, ...change })).toThrow(path);
  });
});
