import './environment.ts';

import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { formatStatement, type StatementFormat } from '../../clients/operator/format-statement.ts';
import { isPrintable } from '../../shared/core/printable-text.ts';
import type { StatementLine } from '../../shared/ledger/statement/read-statement.ts';
import type { NinRecord } from '../../shared/registries/mapping/records/nin.ts';
import { drawSlip } from '../../shared/slips/draw-slip.ts';
import { slipRoute } from '../../shared/slips/routes/nin-slip.ts';
import { openPdf, pageText } from '../slips/open-pdf.ts';
import { slipInput, USUAL_RECORD } from '../slips/records.ts';
import { claimingSize, makeJpeg, makePng, packedTextChunk, withSegment } from '../slips/test-pictures.ts';
import { captureLines } from './captured.ts';
import { type Caller, invoke } from './in-process.ts';
import { type MemoryService, memoryService } from './memory-service.ts';
import { findsAll, SOME_NIN, verifyNin } from './routes-in-memory.ts';
import { startSecretDouble } from './secret-double.ts';

/**
 * Attacks through the contents of slips, logs and statements (S35 to S42, S54). test/slips/hostile.test.ts generates
 * many hostile records.
 */

const lines = captureLines();
let secrets: Awaited<ReturnType<typeof startSecretDouble>>;
beforeAll(async () => {
  secrets = await startSecretDouble({ current: 'a slip key of tests' });
  await drawSlip(slipInput('premium', USUAL_RECORD, false));
});
afterAll(() => secrets.close());

const draw = (changes: Partial<NinRecord>) =>
  drawSlip(slipInput('regular', { ...USUAL_RECORD, ...changes }, false));
const JPEG = makeJpeg(120, 150, 0.3);
const isPdf = (bytes: Uint8Array) => Buffer.from(bytes.subarray(0, 5)).toString() === '%PDF-';

/** Downloads a slip of the usual record with these changes. */
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
  test('S35: names with Yoruba, Igbo and Hausa letters', async () => {
    const names = { firstname: 'Ọláńrewájú', lastname: 'Ṣẹ́gun-Ụ̀zọ', middlename: 'Ɗanƙwambo Ƴar’aduwa' };
    const text = (await pageText(await draw(names))).normalize('NFC').toUpperCase();
    for (const name of Object.values(names).flatMap((one) => one.split(' ')))
      expect(text).toContain(name.normalize('NFC').toUpperCase());
  });

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

  test('S37: a photo that is not a picture', async () => {
    const photos = [
      '',
      '%%%%',
      'data:text/html,<script>',
      JPEG.subarray(0, JPEG.length >> 1).toString('base64'),
      Buffer.from('<svg onload="alert(1)"/>').toString('base64'),
      Buffer.from('GIF89a').toString('base64'),
      `${JPEG.toString('base64')}<script>`,
    ];
    for (const photo of photos) expect(isPdf(await draw({ photo }))).toBe(true);
  });

  test('S38: a photo that decompresses to gigabytes', async () => {
    const bombs = [
      makePng({ width: 8000, height: 8000, depth: 1, colourType: 0 }),
      makePng({ width: 10, height: 10, data: Buffer.alloc(90_000_000) }),
      makePng({ width: 10, height: 10, extra: [packedTextChunk(90_000_000)] }),
    ];
    for (const bomb of bombs) {
      const [startedMs, before] = [performance.now(), process.memoryUsage().rss];
      const bytes = await draw({ photo: bomb.toString('base64') });
      expect(isPdf(bytes)).toBe(true);
      expect(performance.now() - startedMs).toBeLessThan(4_000);
      expect(process.memoryUsage().rss - before).toBeLessThan(300 * 1_048_576);
    }
  });

  test('S39: a photo with false dimensions, a location or a script', async () => {
    for (const [width, height] of [
      [8000, 8000],
      [65_535, 1],
    ] as const)
      expect(isPdf(await draw({ photo: claimingSize(JPEG, width, height).toString('base64') }))).toBe(true);
    const payload = 'Exif\0\0GPS 6.5244 N <script>alert(1)</script>';
    const loaded = withSegment(JPEG, 0xe1, Buffer.from(payload, 'latin1'));
    const file = Buffer.from(await draw({ photo: loaded.toString('base64') })).toString('latin1');
    expect(file).not.toContain('6.5244');
    expect(file).not.toContain('<script>');
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

  test('S41: identity data in PDF properties, and scripts and links in a PDF', async () => {
    const bytes = await draw({});
    await using pdf = await openPdf(bytes);
    const info = JSON.stringify(pdf.info);
    for (const text of [USUAL_RECORD.nin, USUAL_RECORD.firstname, USUAL_RECORD.lastname])
      expect(info).not.toContain(text);
    const file = Buffer.from(bytes).toString('latin1');
    expect(file).not.toMatch(/\/(JavaScript|JS|OpenAction|AA|Annots|EmbeddedFiles|URI|Launch|SubmitForm)\b/);
    expect(Buffer.from(await draw({})).equals(Buffer.from(bytes))).toBe(true);
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

  test('S54: line breaks, escape sequences and formulas in a statement', async () => {
    const texts = ['paid\n2026-11-21 TOP_UP 1,000,000', '\u001b[2J', ' =cmd|calc', '＝cmd', '\t@SUM(A1)'];
    const entries = texts.map((reason, position) => ({
      id: `INV-${position}`,
      createdAt: '2026-11-20T00:00:00.000Z',
      amount: 1,
      balanceAfter: position + 1,
      credit: { kind: 'TOP_UP', actor: reason, reason },
    })) as unknown as StatementLine[];
    const output = async (format: StatementFormat) => {
      const statement = {
        organisation: 'o',
        env: 'live',
        from: '',
        to: '',
        openingBalance: 0,
        lines: Readable.from(entries),
      };
      let text = '';
      for await (const chunk of formatStatement(statement, format)) text += chunk;
      return text;
    };
    expect((await output('table')).match(/^2026.*TOP_UP/gm)).toHaveLength(texts.length);
    const csv = await output('csv');
    expect(csv.trimEnd().split('\n')).toHaveLength(texts.length + 3);
    expect(csv).not.toMatch(/(^|[,;"])\s*[=@＝]/m);
    for (const text of [await output('table'), csv, await output('json')])
      expect(isPrintable(text.replaceAll(/[\r\n]/g, ''))).toBe(true);
  });
});
