import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { encodeMessage, MessageReader } from '../../infra/local/functions/instance-protocol.ts';

test('messages arrive complete and in order, however a pipe splits them', () => {
  const message = fc.record({
    header: fc.record({ text: fc.string({ unit: 'binary' }) }),
    body: fc.uint8Array({ maxLength: 300 }),
  });
  fc.assert(
    fc.property(
      fc.array(message, { maxLength: 5 }),
      fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }),
      (messages, cuts) => {
        const bytes = Buffer.concat(
          messages.map(({ header, body }) => encodeMessage(header, Buffer.from(body))),
        );
        const reader = new MessageReader<{ text: string }>();
        const read: { text: string; body: string }[] = [];
        let offset = 0;
        for (let index = 0; offset < bytes.length; index += 1) {
          const size = cuts[index % cuts.length] ?? 1;
          const chunk = Buffer.from(bytes.subarray(offset, offset + size));
          for (const { header, body } of reader.push(chunk))
            read.push({ ...header, body: body.toString('hex') });
          offset += size;
        }
        const sent = messages.map(({ header, body }) => ({
          ...header,
          body: Buffer.from(body).toString('hex'),
        }));
        expect(read).toEqual(sent);
      },
    ),
    { numRuns: 200 },
  );
});

test('a string body is encoded as UTF-8', () => {
  const [message] = new MessageReader().push(encodeMessage({}, 'Ṣadé ₦'));
  expect(message?.body.toString('utf8')).toBe('Ṣadé ₦');
});
