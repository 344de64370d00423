import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

/** docs/design/attacks.md lists the tests of attacks. `UPDATE=1` writes its table. */

const PAGE = 'docs/design/attacks.md';
const ATTACKS = Array.from({ length: 96 }, (_, index) => `S${index + 1}`);

interface Row {
  readonly attack: string;
  readonly files: string;
}

/** Maps the number of each attack to the name of its first test and to the files that test it. */
function testedAttacks(): Map<string, Row> {
  const found = new Map<string, Row>();
  for (const path of globSync('test/**/*.test.ts').sort()) {
    if (path.endsWith('documented.test.ts')) continue;
    const file = path.replace(/^test\/(security\/)?/, '');
    for (const [, , number = '', words = ''] of readFileSync(path, 'utf8').matchAll(
      /(['"])(S\d+): (.+?)\1/g,
    )) {
      const before = found.get(number);
      const files = before?.files.split(', ') ?? [];
      // The values of a table follow the name.
      const attack = before?.attack ?? words.replace(/: %.*/, '').replaceAll(/%[sd]/g, '…');
      found.set(number, { attack, files: [...new Set([...files, file])].join(', ') });
    }
  }
  return found;
}

test('every attack in the list has a test', () => {
  expect([...testedAttacks().keys()].sort()).toEqual([...ATTACKS].sort());
});

test('the page names each attack and its tests', () => {
  const tested = testedAttacks();
  const rows = ATTACKS.map((number) => {
    const { attack = '', files = '' } = tested.get(number) ?? {};
    return `| ${number} | ${attack} | ${files} |\n`;
  });
  const page = readFileSync(PAGE, 'utf8');
  const current = page.replace(
    /(<!-- attacks: begin -->\n)[\s\S]*(<!-- attacks: end -->)/,
    (_, begin, end) => `${begin}| # | attack | test |\n|---|---|---|\n${rows.join('')}${end}`,
  );
  if (process.env['UPDATE']) writeFileSync(PAGE, current);
  else expect(page).toBe(current);
});
