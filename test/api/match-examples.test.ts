import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { OVERALL, REASONS } from '../../shared/matching/match.ts';
import { organisation, post } from '../support/service.ts';

/** The sandbox numbers and details in docs/guides/match.md. `post` compares every response with the API document. */

const GUIDE = readFileSync(new URL('../../docs/guides/match.md', import.meta.url), 'utf8');
const ROW = /^\| `(\d{11})` \| `(\{.+?\})` \| `(\w+)` \| (?:`(\w+)`|none) \|$/gm;
const examples = [...GUIDE.matchAll(ROW)].map(([, nin = '', match = '', overall = '', reason]) => ({
  nin,
  match: JSON.parse(match) as Readonly<Record<string, string>>,
  overall,
  reasons: reason === undefined ? [] : [reason],
}));

const who = await organisation({ credits: 100 });

test.each(examples.map((example) => [JSON.stringify(example.match), example] as const))(
  '%s gives the documented result and reasons, with the record and without',
  async (_, { nin, match, overall, reasons }) => {
    for (const more of [{}, { match_only: true }]) {
      const { status, json } = await post('/v1/ng/nin-basic', { nin, match, ...more }, { key: who.test });
      const fields = Object.values(json?.match?.fields ?? {});
      expect(status).toBe(200);
      expect(json?.match?.overall).toBe(overall);
      expect([...new Set(fields.flatMap((field) => field.reasons))]).toEqual(reasons);
      expect(json?.summary.confidence_score).toBe(json?.match?.score);
      expect(Object.keys(json?.match?.fields ?? {}).sort()).toEqual(Object.keys(match).sort());
    }
  },
);

/** No record in the sandbox has a title. */
const WITHOUT_EXAMPLE = ['GENERATION_DIFFERS', 'TITLE_DIFFERS'];

test('the guide has an example of each result and each reason', () => {
  const documented = REASONS.filter((reason) => !WITHOUT_EXAMPLE.includes(reason));
  expect([...new Set(examples.map(({ overall }) => overall))].sort()).toEqual([...OVERALL].sort());
  expect([...new Set(examples.flatMap(({ reasons }) => reasons))].sort()).toEqual(documented.sort());
});
