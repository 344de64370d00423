import { globSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

/** docs/design/security.md lists every attack with its test. */

const ATTACKS = Array.from({ length: 95 }, (_, index) => `S${index + 1}`);

interface Row {
  readonly attack: string;
  readonly files: string;
}

/** Maps the number of each attack to the name of its first test and to the files that test it. */
function testedAttacks(): Map<string, Row> {
  const found = new Map<string, Row>();
  for (const path of globSync('test/{security,console}/*.test.ts').sort()) {
    if (path.endsWith('documented.test.ts')) continue;
    const file = path.replace(/^test\/(security\/)?/, '');
    for (const [, , number = '', words = ''] of readFileSync(path, 'utf8').matchAll(
      /(['"])(S\d+): (.+?)\1/g,
    )) {
      const before = found.get(number);
      const files = before?.files.split(', ') ?? [];
      const attack = before?.attack ?? words.replaceAll(/%[sd]/g, '…');
      found.set(number, { attack, files: [...new Set([...files, file])].join(', ') });
    }
  }
  return found;
}

function documentedAttacks(): Map<string, Row> {
  const rows = readFileSync('docs/design/security.md', 'utf8').matchAll(
    /^\| (S\d+) \| (.+?) \| (.+?) \| (.+?) \|$/gm,
  );
  return new Map([...rows].map(([, number = '', attack = '', , files = '']) => [number, { attack, files }]));
}

test('every attack in the list has a test', () => {
  expect([...testedAttacks().keys()].sort()).toEqual([...ATTACKS].sort());
});

test('docs/design/security.md has a row for each attack, with the name and file of its test', () => {
  const documented = documentedAttacks();
  expect([...documented.keys()]).toEqual(ATTACKS);
  expect(Object.fromEntries(documented)).toEqual(Object.fromEntries(testedAttacks()));
});
