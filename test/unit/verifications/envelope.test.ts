import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { envelopeText, failureEnvelope } from '../../../shared/http/envelope.ts';
import { type Match, OVERALL } from '../../../shared/matching/match.ts';
import { verifiedEnvelope } from '../../../shared/verifications/middleware/look-up-response.ts';

const META = { request_id: 'req_0123456789ab', timestamp: '2026-01-01T00:00:00.000Z' };

test('the confidence score is written as a float, on success and on failure', () => {
  expect(envelopeText(verifiedEnvelope('NIN', 'Sandbox', {}, META))).toContain('"confidence_score":1.0');
  expect(envelopeText(failureEnvelope('TIMEOUT', 'NIN', '', META))).toContain('"confidence_score":0.0');
});

test('the JSON text parses to the envelope, whatever the record contains', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.string(), (data, provider) => {
      const envelope = verifiedEnvelope('CAC', provider, data, META, { warning: 'A warning.' });
      expect(JSON.parse(envelopeText(envelope))).toEqual(JSON.parse(JSON.stringify(envelope)));
    }),
  );
});

const field = (score: number) => ({ result: 'strong', score, reasons: ['INITIAL'] }) as const;

function matched(overall: Match['overall'], score: number, data: unknown = { score: 1 }) {
  const fields = { firstname: field(1), lastname: field(0.85), gender: field(0) };
  const match: Match = { overall, score, algorithm: 'ng-match-0', fields };
  return verifiedEnvelope('NIN', 'Sandbox', data, META, { match });
}

test('the confidence score is the score of the match, and whole numbers are written as floats', () => {
  for (const [score, text] of [
    [1, '1.0'],
    [0.85, '0.85'],
    [0, '0.0'],
  ] as const) {
    const written = envelopeText(matched('partial', score));
    expect(written).toContain(`"confidence_score":${text}}`);
    expect(written).toContain(`"match":{"overall":"partial","score":${text},`);
    expect(written).toContain('"score":1.0,"reasons":["INITIAL"]');
    expect(written).toContain('"score":0.85,"reasons":["INITIAL"]');
    expect(written).toContain('"score":0.0,"reasons":["INITIAL"]');
    expect(JSON.parse(written)).toEqual(matched('partial', score));
  }
});

test('the JSON text of an envelope with a match parses to the envelope, whatever the record contains', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (data) => {
      const envelope = matched('none', 1, { data, forged: '"score":1,' });
      expect(JSON.parse(envelopeText(envelope))).toEqual(JSON.parse(JSON.stringify(envelope)));
    }),
  );
});

test('for each result of a match, the message says whether the details match, and the record is verified', () => {
  const all = OVERALL.map((overall) => matched(overall, 0));
  expect(new Set(all.map(({ message }) => message)).size).toBe(OVERALL.length);
  for (const { success, code, message, summary } of all) {
    expect([success, code, summary.verified]).toEqual([true, 'NIN_VERIFIED', true]);
    expect(message).toMatch(/^NIN verified\. The details that you sent .*match.*\.$/);
  }
  expect(verifiedEnvelope('NIN', 'Sandbox', {}, META).message).toBe('NIN verified.');
});

test('a record or provider name that contains the text of the score does not change the score', () => {
  const forged = '"confidence_score":0';
  const text = envelopeText(verifiedEnvelope('NIN', forged, { forged }, META));

  expect(JSON.parse(text)).toMatchObject({
    summary: { provider: forged, confidence_score: 1 },
    data: { forged },
  });
});
