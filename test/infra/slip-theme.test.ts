import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { addSlipTheme, SLIP_THEME_FILE } from '../../infra/slip-theme.ts';
import { DEFAULT_THEME } from '../../shared/slips/default-theme.ts';
import { makeSlip, type SlipOrder } from '../../shared/slips/make-slip.ts';
import { loadSlipTheme } from '../../shared/slips/theme.ts';
import { pageText } from '../slips/open-pdf.ts';
import { USUAL_RECORD } from '../slips/records.ts';
import { functionsOf, synthesize } from './synthesis.ts';

let directory = '';
let themeFile = '';

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'slip-theme-'));
  themeFile = join(directory, 'theme.json');
  const authorisation = { reference: 'TEST/2026/001', authority: 'An invented authority' };
  const wording = { ...DEFAULT_THEME.wording, title: 'Wording of the authority' };
  writeFileSync(themeFile, JSON.stringify({ ...DEFAULT_THEME, authorisation, wording }));
});

afterAll(() => rmSync(directory, { recursive: true }));

describe("an operator's slip theme", () => {
  test('is given only to the function that draws slips', () => {
    const { functions } = synthesize('prod', { slipTheme: themeFile });
    const given = functionsOf(functions).filter(({ environment }) => 'SLIP_THEME' in environment);
    expect(given.map(({ name, environment }) => [name, environment['SLIP_THEME']])).toEqual([
      ['nin-slip', SLIP_THEME_FILE],
    ]);
  });

  test('is not configured if the stage sets none', () => {
    const { functions } = synthesize('prod');
    expect(functionsOf(functions).filter(({ environment }) => 'SLIP_THEME' in environment)).toEqual([]);
  });

  test('that is invalid stops the synthesis and names the invalid entry', () => {
    const invalid = join(directory, 'invalid.json');
    writeFileSync(invalid, JSON.stringify(DEFAULT_THEME));
    expect(() => synthesize('prod', { slipTheme: invalid })).toThrow(/authorisation/);
  });

  test('is copied into the bundle, and slips use it', async () => {
    addSlipTheme(directory, themeFile);
    const command = {
      service: 'nin-slip',
      idType: 'NIN',
      number: USUAL_RECORD.nin,
      numberField: 'nin',
    } as const;
    const order: SlipOrder = {
      command: { ...command, needsPhoto: false, slipType: 'premium' },
      requestId: 'req_000000000000',
      specimen: false,
      baseUrl: 'https://api.example.com',
      now: new Date('2026-01-02T03:04:05Z'),
    };
    const provider = { name: 'prembly', displayName: 'Prembly' };
    const theme = loadSlipTheme(join(directory, SLIP_THEME_FILE));
    const outcome = await makeSlip(
      order,
      { kind: 'found', record: USUAL_RECORD, provider },
      'a made-up key',
      { checkDays: 30, theme },
    );
    if (outcome.kind !== 'found' || outcome.content.type !== 'pdf') throw new Error('No slip.');
    expect(await pageText(outcome.content.bytes)).toContain('Wording of the authority');
  });
});
