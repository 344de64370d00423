import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { breakingChanges } from './breaking-changes.ts';

/** docs/versioning.md, "What CI checks". */

const current = JSON.parse(readFileSync('docs/openapi.json', 'utf8'));
const releases = globSync('docs/releases/openapi-*.json')
  .map((file) => ({
    file,
    version: /openapi-(\d+)\.(\d+)\.(\d+)\.json$/.exec(file)?.slice(1).map(Number) ?? [],
  }))
  .sort(
    (a, b) => a.version.map((part, index) => part - (b.version[index] ?? 0)).find((sign) => sign !== 0) ?? 0,
  );

// biome-ignore lint/suspicious/noExplicitAny: the tests change deep places of a document that is data.
type Document = any;

/** What the change of a document breaks. */
function breaksOf(change: (document: Document) => void): string[] {
  const changed = structuredClone(current);
  change(changed);
  return breakingChanges(current, changed);
}

const NIN = '/api/v1/ng/nin-basic/';
const bodyOf = (document: Document) =>
  document.paths[NIN].post.requestBody.content['application/json'].schema;

describe('the API document', () => {
  test('breaks nothing of the last release', () => {
    const last = releases.at(-1)?.file ?? '';
    expect(breakingChanges(JSON.parse(readFileSync(last, 'utf8')), current)).toEqual([]);
  });
});

describe('a change that breaks clients', () => {
  const cases: Readonly<Record<string, readonly [(document: Document) => void, RegExp]>> = {
    'a route that goes': [(now) => delete now.paths[NIN], /POST .*nin-basic.*: it is gone/],
    'a method that goes': [(now) => delete now.paths[NIN].post, /POST .*nin-basic.*: it is gone/],
    'a parameter that becomes required': [
      (now) => {
        now.components.parameters.IdempotencyKey.required = true;
      },
      /Idempotency-Key is required now/,
    ],
    'a field of a request that is refused': [
      (now) => delete bodyOf(now).properties.nin,
      /body\.nin: it is gone/,
    ],
    'a pattern that changes': [
      (now) => {
        bodyOf(now).properties.id_number.pattern = '^[1-9][0-9]{10}$';
      },
      /id_number: its pattern was/,
    ],
    'a text that must be shorter': [
      (now) => {
        bodyOf(now).properties.reason.maxLength = 20;
      },
      /reason: its maxLength is 20 now/,
    ],
    'a field of a record that goes': [
      (now) => delete now.components.schemas.NinBasicRecord.properties.photo,
      /\.photo: it is gone/,
    ],
    'a field of a record that may be absent': [
      (now) => {
        const record = now.components.schemas.NinBasicRecord;
        record.required = record.required.filter((name: string) => name !== 'photo');
      },
      /\.photo: it is optional now/,
    ],
    'a field of a record that becomes a number': [
      (now) => {
        now.components.schemas.NinBasicRecord.properties.phone = { type: 'number' };
      },
      /\.phone: its type was string and is number/,
    ],
    'a field of a record that may be null': [
      (now) => {
        now.components.schemas.NinBasicRecord.properties.phone.type = ['string', 'null'];
      },
      /\.phone: its type was string and is string or null/,
    ],
    'a code that goes': [
      (now) => delete now.components.responses['NIN.400']['x-codes'].NIN_NOT_FOUND,
      /400: the code NIN_NOT_FOUND is gone/,
    ],
    'a code that is charged from now on': [
      (now) => {
        now.components.responses['NIN.400']['x-codes'].NIN_NOT_FOUND['x-charged'] = 'yes';
      },
      /400: NIN_NOT_FOUND is charged otherwise/,
    ],
    'a status that goes': [(now) => delete now.paths[NIN].post.responses['402'], /402: it is gone/],
  };

  test.each(Object.keys(cases))('%s is found and named', (name) => {
    const [change, words] = cases[name] ?? [() => undefined, /never/];
    expect(breaksOf(change).join('\n')).toMatch(words);
  });
});

describe('a change that clients bear', () => {
  const cases: Readonly<Record<string, (document: Document) => void>> = {
    'a new route': (now) => {
      now.paths['/api/v1/new/'] = now.paths[NIN];
    },
    'a new optional field of a request': (now) => {
      bodyOf(now).properties.branch = { type: 'string' };
    },
    'a new field of a record': (now) => {
      now.components.schemas.NinBasicRecord.properties.height = { type: 'string' };
      now.components.schemas.NinBasicRecord.required.push('height');
    },
    'a longer text': (now) => {
      bodyOf(now).properties.reason.maxLength = 400;
    },
    'other words': (now) => {
      now.info.description = 'Other words.';
    },
  };

  test.each(Object.keys(cases))('%s', (name) => {
    expect(breaksOf(cases[name] ?? (() => undefined))).toEqual([]);
  });
});
