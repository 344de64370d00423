import './environment.ts';

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { NinRecord } from '../../shared/registries/mapping/records/nin.ts';
import { drawSlip } from '../../shared/slips/draw-slip.ts';
import { slipRoute } from '../../shared/slips/routes/nin-slip.ts';
import { openPdf, pageText } from '../slips/open-pdf.ts';
import { slipInput, USUAL_RECORD } from '../slips/records.ts';
import { captureLines } from './captured.ts';
import { type Caller, invoke } from './in-process.ts';
import { type MemoryService, memoryService } from './memory-service.ts';
import { findsAll, SOME_NIN, verifyNin } from './routes-in-memory.ts';
import { startSecretDouble } from './secret-double.ts';

/** Attacks through the contents of slips, logs and statements. */

const lines = captureLines();
let secrets: Awaited<ReturnType<typeof startSecretDouble>>;
beforeAll(async () => {
  secrets = await startSecretDouble({ current: 'a slip key of tests' });
  await drawSlip(slipInput('premium', USUAL_RECORD, false));
});
afterAll(() => secrets.close());

const draw = (changes: Partial<NinRecord>) =>
  drawSlip(slipInput('regular', { ...USUAL_RECORD, ...changes }, false));

async function download(service: MemoryService, who: Caller, changes: Partial<NinRecord>) {
  service.registry.lookUp = async ({ number }) => ({
    kind: 'found',
    record: { ...USUAL_RECORD, nin: number, ...changes },
  });
  const log = { ...service.deps.log, wasVerified: async () => true };
  const handler = slipRoute({ ...service.deps, log }, { checkDays: 365 });
  const body = JSON.stringify({ nin: SOME_NIN, slip_type: 'regular' });
  return invoke(handler, { key: who.text, body, requestedAtMs: service.clock.nowMs });
}

describe('outputs', () => {
  test('S36: control characters, text direction marks and PDF operators in a name', async () => {
    const forged = [
      'Ade\nSurname: Forged',
      'Ade\r\nNIN: 99999999999',
      'A\u0000B\u001B',
      '\u202Eevil\u202C',
      '\u{1F600}',
      ') Tj ET (forged) Tj endstream endobj',
      'a'.repeat(2000),
    ];
    for (const firstname of forged) {
      const bytes = await draw({ firstname });
      await using pdf = await openPdf(bytes);
      expect(pdf.pageCount).toBe(1);
      const shown = (await pageText(bytes)).split('\n');
      // A forged field would be on a line of its own.
      for (const line of ['Surname: Forged', 'NIN: 99999999999', 'forged']) expect(shown).not.toContain(line);
      expect(shown.join('')).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
    }
  });

  test('S40: quotes, line breaks and parent folders in a file name', async () => {
    const service = memoryService();
    const who = await service.newCaller(5);
    const evil = '"\r\nSet-Cookie: a=b\r\n../../etc/passwd';
    const { statusCode, headers = {} } = await download(service, who, { firstname: evil, tracking_id: evil });
    expect(statusCode).toBe(200);
    expect(headers).toMatchObject({
      'Content-Disposition': `attachment; filename="regular_${SOME_NIN}_slip.pdf"`,
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-store',
    });
    expect(JSON.stringify(headers)).not.toContain('Set-Cookie');
    // The file name contains the caller's NIN, and nothing from the registry.
    const other = await download(service, who, { nin: `1"; ${SOME_NIN}` });
    expect([other.statusCode, String(other.headers?.['Content-Disposition'])]).toEqual([
      statusCode,
      headers['Content-Disposition'],
    ]);
  });

  test('S42: line breaks, escape sequences and JSON in logged values', async () => {
    const service = memoryService();
    service.registry.lookUp = findsAll;
    const who = await service.newCaller(5);
    const evil = 'x"}\n{"level":"ERROR","message":"forged"}\u001b[31m';
    lines.length = 0;
    const headers = { 'User-Agent': [evil], 'X-Request-Id': [evil], 'X-Amzn-Trace-Id': [evil] };
    await verifyNin(service, who, { headers, nin: evil });
    await verifyNin(service, who, { headers: { 'Idempotency-Key': [evil] } });
    await verifyNin(service, who, { key: evil });
    await verifyNin(service, who, { body: JSON.stringify({ nin: SOME_NIN, consent: evil, reason: evil }) });
    service.registry.lookUp = async () => ({ kind: 'failed', detail: evil });
    await verifyNin(service, who);
    expect(lines.length).toBeGreaterThanOrEqual(10);
    for (const line of lines) {
      expect(line).not.toContain('\n');
      expect(line).not.toContain('\u001b');
      expect(JSON.parse(line)).not.toMatchObject({ message: 'forged' });
    }
  });
});
