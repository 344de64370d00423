import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { envelopeText, failureEnvelope, verifiedEnvelope } from '../../../shared/verifications/envelope.ts';

const META = { request_id: 'req_0123456789ab', timestamp: '2026-01-01T00:00:00.000Z' };

test('the confidence score is written as a float, on success and on failure', () => {
  expect(envelopeText(verifiedEnvelope('NIN', 'Sandbox', {}, META))).toContain('"confidence_score":1.0');
  expect(envelopeText(failureEnvelope('TIMEOUT', 'NIN', '', META))).toContain('"confidence_score":0.0');
});

test('the text parses to the envelope, whatever the record contains', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.string(), (data, provider) => {
      const envelope = verifiedEnvelope('CAC', provider, data, META, 'A warning.');
      expect(JSON.parse(envelopeText(envelope))).toEqual(JSON.parse(JSON.stringify(envelope)));
    }),
  );
});

test('a record or provider name that contains the text of the score does not change the score', () => {
  const forged = '"confidence_score":0';
  const text = envelopeText(verifiedEnvelope('NIN', forged, { forged }, META));

  expect(JSON.parse(text)).toMatchObject({
    summary: { provider: forged, confidence_score: 1 },
    data: { forged },
  });
});
