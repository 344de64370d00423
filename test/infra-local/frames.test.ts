import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { encodeFrame, FrameReader } from '../../infra/local/frames.ts';

test('frames arrive whole and in order, however a pipe cuts them', () => {
  const frame = fc.record({
    head: fc.record({ text: fc.string({ unit: 'binary' }) }),
    body: fc.uint8Array({ maxLength: 300 }),
  });
  fc.assert(
    fc.property(
      fc.array(frame, { maxLength: 5 }),
      fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }),
      (frames, cuts) => {
        const bytes = Buffer.concat(frames.map(({ head, body }) => encodeFrame(head, Buffer.from(body))));
        const reader = new FrameReader<{ text: string }>();
        const read: { text: string; body: string }[] = [];
        let position = 0;
        for (let index = 0; position < bytes.length; index += 1) {
          const size = cuts[index % cuts.length] ?? 1;
          const chunk = Buffer.from(bytes.subarray(position, position + size));
          for (const { head, body } of reader.push(chunk)) read.push({ ...head, body: body.toString('hex') });
          position += size;
        }
        const sent = frames.map(({ head, body }) => ({ ...head, body: Buffer.from(body).toString('hex') }));
        expect(read).toEqual(sent);
      },
    ),
    { numRuns: 200 },
  );
});

test('a text body is written as UTF-8', () => {
  const [frame] = new FrameReader().push(encodeFrame({}, 'Ṣadé ₦'));
  expect(frame?.body.toString('utf8')).toBe('Ṣadé ₦');
});
