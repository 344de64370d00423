import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { breakingChanges } from './breaking-changes.ts';

/** The checks that docs/guides/versioning.md describes in "Compatibility checks and releases". */

// biome-ignore lint/suspicious/noExplicitAny: the tests change deeply nested values of a JSON document.
type Document = any;

function readDocument(file: string): Document {
  return JSON.parse(readFileSync(file, 'utf8'));
}

const current = readDocument('docs/openapi.json');
const releaseFiles = globSync('docs/releases/openapi-*.json');

function versionOf(file: string): string {
  return /openapi-(\d+\.\d+\.\d+)\.json$/.exec(file)?.[1] ?? '';
}

/** Returns the file with the highest version, or undefined before the first release. */
function lastRelease(files: readonly string[]): string | undefined {
  return files.toSorted((a, b) => versionOf(a).localeCompare(versionOf(b), 'en', { numeric: true })).at(-1);
}

/** Returns the files whose version has no dated section in the changelog, such as `## 1.0.0 (2027-01-31)`. */
function unreleased(files: readonly string[], changelog: string): string[] {
  const versions = [...changelog.matchAll(/^## (\S+) \(\d{4}-\d{2}-\d{2}\)$/gm)].map(
    ([, version]) => version,
  );
  return files.filter((file) => !versions.includes(versionOf(file)));
}

/** Applies a change to a copy of the current document. Returns what it breaks. */
function breaksOf(change: (document: Document) => void): string[] {
  const changed = structuredClone(current);
  change(changed);
  return breakingChanges(current, changed);
}

describe('the API document', () => {
  test('breaks nothing that the last release promised', () => {
    const last = lastRelease(releaseFiles);
    // Before the first release, nothing has been promised.
    expect(breakingChanges(last ? readDocument(last) : current, current)).toEqual([]);
  });

  test('has the same version as package.json', () => {
    expect(current.info.version).toBe(readDocument('package.json').version);
  });
});

describe('documents of releases', () => {
  const files = ['1.9.0', '1.10.0', '1.2.30'].map((version) => `docs/releases/openapi-${version}.json`);

  test('the last release is the one with the highest version', () => {
    expect(lastRelease(files)).toBe('docs/releases/openapi-1.10.0.json');
    expect(lastRelease([])).toBeUndefined();
  });

  test('no document exists before its release is in the changelog', () => {
    const changelog = '## Unreleased\n\n## 1.10.0 (2027-03-31)\n\n## 1.9.0 (2027-01-31)\n';
    expect(unreleased(files, changelog)).toEqual(['docs/releases/openapi-1.2.30.json']);
    expect(unreleased(releaseFiles, readFileSync('CHANGELOG.md', 'utf8'))).toEqual([]);
  });
});

const NIN = '/api/v1/ng/nin-basic/';
const bodyOf = (document: Document) => document.components.schemas.NinRequest;

describe('a change that breaks clients is reported', () => {
  const cases: Readonly<Record<string, readonly [(document: Document) => void, RegExp]>> = {
    'a removed route': [(now) => delete now.paths[NIN], /POST .*nin-basic.*: removed/],
    'a removed method': [(now) => delete now.paths[NIN].post, /POST .*nin-basic.*: removed/],
    'a parameter that becomes required': [
      (now) => {
        now.components.parameters.IdempotencyKey.required = true;
      },
      /Idempotency-Key is now required/,
    ],
    'a removed request field': [(now) => delete bodyOf(now).properties.reference, /body\.reference: removed/],
    'a changed pattern': [
      (now) => {
        bodyOf(now).properties.id_number.pattern = '^[1-9][0-9]{10}$';
      },
      /id_number: pattern changed from/,
    ],
    'a shorter maximum length': [
      (now) => {
        now.components.schemas.Reason.maxLength = 20;
      },
      /reason: maxLength is now 20/,
    ],
    'a removed record field': [
      (now) => delete now.components.schemas.NinBasicRecord.properties.photo,
      /\.photo: removed/,
    ],
    'a record field that becomes optional': [
      (now) => {
        const record = now.components.schemas.CacBasicRecord;
        record.required = record.required.filter((name: string) => name !== 'city');
      },
      /\.city: now optional/,
    ],
    'a record field that becomes a number': [
      (now) => {
        now.components.schemas.NinBasicRecord.properties.phone = { type: 'number' };
      },
      /\.phone: type changed from string to number/,
    ],
    'a record field that becomes nullable': [
      (now) => {
        now.components.schemas.NinBasicRecord.properties.phone.type = ['string', 'null'];
      },
      /\.phone: type changed from string to string or null/,
    ],
    'a removed code': [
      (now) => now.paths[NIN].post['x-error-codes'].splice(0, 1),
      /403: the code HTTPS_REQUIRED was removed/,
    ],
    'a code that is now charged': [
      (now) => {
        now['x-codes'].NIN_NOT_FOUND.charged = 'yes';
      },
      /400: the charge of NIN_NOT_FOUND changed from no to yes/,
    ],
    'a removed reason for an error': [
      (now) => now.components.schemas.ErrorDetails.properties.reason['x-extensible-enum'].shift(),
      /\.error\.reason: the value missing_field is removed/,
    ],
    'a list of values that may now grow': [
      (now) => {
        now.components.schemas.Balance.properties.environment = { 'x-extensible-enum': ['live', 'test'] };
      },
      /\.environment: values other than live, test are now possible/,
    ],
    'a removed status': [(now) => delete now.paths[NIN].post.responses['402'], /402: removed/],
  };

  test.each(Object.entries(cases))('%s', (_, [change, message]) => {
    expect(breaksOf(change).join('\n')).toMatch(message);
  });
});

describe('a compatible change is not reported', () => {
  const cases: Readonly<Record<string, (document: Document) => void>> = {
    'a new route': (now) => {
      now.paths['/api/v1/new/'] = now.paths[NIN];
    },
    'a new optional request field': (now) => {
      bodyOf(now).properties.branch = { type: 'string' };
    },
    'a new record field': (now) => {
      now.components.schemas.NinBasicRecord.properties.height = { type: 'string' };
      now.components.schemas.NinBasicRecord.required.push('height');
    },
    'a new reason for an error': (now) => {
      now.components.schemas.ErrorDetails.properties.reason['x-extensible-enum'].push('another_reason');
    },
    'a longer maximum length': (now) => {
      now.components.schemas.Reason.maxLength = 400;
    },
    'a changed description': (now) => {
      now.info.description = 'Another description.';
    },
  };

  test.each(Object.entries(cases))('%s', (_, change) => {
    expect(breaksOf(change)).toEqual([]);
  });
});
