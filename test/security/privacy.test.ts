import './environment.ts';

import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { ROUTES } from '../../infra/routes.ts';
import { USUAL_RECORD } from '../slips/records.ts';
import { identifyingTexts } from '../support/canaries.ts';
import { get, logLines, number, organisation, post } from '../support/service.ts';
import { expectRefused, writtenSoFar } from './attack.ts';
import { captureLines } from './captured.ts';
import { memoryService } from './memory-service.ts';
import { askNin, findsAll, SOME_NIN } from './routes-in-memory.ts';
import { readCanaries, searchText } from './search-log.ts';
import { exportTables, logRowOf } from './tables.ts';

/** Identities where they must not be (reference list S43, S44, S47). The whole run's output: test/run.ts. */

const lines = captureLines();
/** Everything that tells who somebody is in the record that the registry answers with. */
const CANARIES = [SOME_NIN, ...identifyingTexts(USUAL_RECORD)];
const WORDS = `no record for ${SOME_NIN}, ${USUAL_RECORD.firstname} ${USUAL_RECORD.lastname}`;

/** Whatever a part of the service can throw, each with identities in all its texts. */
function mishaps(): [string, () => never][] {
  const error =
    (name: string, more: object = {}) =>
    () => {
      throw Object.assign(new Error(WORDS), { name, ...more });
    };
  return [
    ['an uncaught error', error('Error')],
    ['a type error with a cause', error('TypeError', { cause: new Error(WORDS) })],
    [
      'an SDK error that quotes the item',
      error('ValidationException', { $metadata: {}, Item: USUAL_RECORD }),
    ],
    ['an SDK timeout', error('TimeoutError', { $response: { body: WORDS } })],
    [
      'a text instead of an error',
      () => {
        throw WORDS;
      },
    ],
    [
      'a record instead of an error',
      () => {
        throw USUAL_RECORD;
      },
    ],
  ];
}

describe('privacy', () => {
  test.each(['found', 'not-found', 'failed', 'unreachable', 'timeout'] as const)(
    'S43: canaries in a look-up that ends in %s',
    async (kind) => {
      lines.length = 0;
      const service = memoryService();
      const who = await service.newCaller(5);
      service.registry.answer =
        kind === 'found' ? findsAll : async () => ({ kind, detail: 'NO_RECORD', maybeBilled: true });
      await askNin(service, who, { headers: { 'Idempotency-Key': ['a-key-of-16-letters'] } });
      expect(lines.length).toBeGreaterThan(0);
      expect(searchText(lines.join('\n'), CANARIES)).toEqual([]);
      expect(searchText(service.writes.map((write) => JSON.stringify(write)).join('\n'), CANARIES)).toEqual(
        [],
      );
    },
  );

  test.each(mishaps())('S43: canaries in %s of the registry client', async (_, mishap) => {
    lines.length = 0;
    const service = memoryService();
    const who = await service.newCaller(5);
    service.registry.answer = async () => mishap();
    const { status, answer, credits } = await askNin(service, who);
    expect([status, credits, (await service.balance(who)).available]).toEqual([500, '0', 5]);
    expect(searchText(lines.join('\n') + answer.body, CANARIES)).toEqual([]);
  });

  test.each(mishaps())('S43: canaries in %s of any call to the database', async (_, mishap) => {
    for (let failing = 0; failing < 8; failing += 1) {
      lines.length = 0;
      const service = memoryService();
      const who = await service.newCaller(5);
      service.registry.answer = findsAll;
      let calls = 0;
      service.onCall = () => {
        calls += 1;
        if (calls > failing) mishap();
      };
      const { status, answer } = await askNin(service, who);
      service.onCall = () => undefined;
      const isServed = status === 200;
      expect(isServed).toBe(answer.body.includes(SOME_NIN));
      expect(searchText(lines.join('\n') + (isServed ? '' : answer.body), CANARIES)).toEqual([]);
      // Nothing is charged but what was handed over, unless the caller is told that nobody knows.
      if (!isServed && status !== 503) expect(service.charges()).toEqual([]);
    }
  });

  test('S43: canaries on the running service, in its tables too', async () => {
    const who = await organisation({ credits: 20 });
    const endings = ['0001', '0404', '0400', '0503', '0500', '0206'];
    for (const ending of endings)
      await post('/v1/ng/nin-premium', { nin: number(ending) }, { key: who.live });
    const nin = number();
    const { json } = await post('/v1/ng/nin-premium', { nin }, { key: who.live });
    await post('/v1/ng/nin/slip/download', { nin, slip_type: 'premium' }, { key: who.live });
    const seen = identifyingTexts(json?.data);
    expect(seen.length).toBeGreaterThan(5);
    const file = process.env['CANARY_FILE'];
    // Short names are words in other rows too, such as an organisation's own name.
    const others = file ? readCanaries(file).filter((text) => text.length >= 11) : [];
    expect(searchText(await exportTables(), [...seen, ...others])).toEqual([]);
    expect(searchText(writtenSoFar(), seen)).toEqual([]);
  });

  test('S44: an identity number in an address', async () => {
    // No route has a place for one, in path or query; access logs, proxies and histories would keep it.
    const places = ROUTES.flatMap(({ path }) => path.match(/\{\w+\}/g) ?? []);
    expect(new Set(places)).toEqual(new Set(['{request_id}', '{token}']));
    const who = await organisation();
    const nin = number();
    for (const path of [`/v1/ng/nin-basic/${nin}`, `/v1/ng/nin/slip/download/${nin}`, `/v1/${nin}`])
      await expectRefused(who, { status: 404, code: 'ROUTE_NOT_FOUND', hidden: [nin] }, () =>
        post(path, {}, { key: who.live }),
      );
    const asked = await get(`/v1/wallet/balance?nin=${nin}`, { key: who.live });
    expect([asked.status, asked.json?.code]).toEqual([400, 'INVALID_SCHEMA']);
    expect(JSON.stringify(logLines(asked.json?.meta.request_id ?? ''))).not.toContain(nin);
    expect(writtenSoFar()).not.toContain(nin);
  });

  test('S47: a thief of the tables looks for a number in them', async () => {
    const [one, two] = [await organisation(), await organisation()];
    const nin = number();
    for (const who of [one, two]) await post('/v1/ng/nin-basic', { nin }, { key: who.live });
    const stolen = await exportTables();
    const [pkOne, pkTwo] = await Promise.all(
      [one, two].map(async ({ id }) => (await logRowOf(id, nin, {})).pk),
    );
    expect(stolen).toContain(pkOne);
    expect(stolen).toContain(pkTwo);
    const tags = [pkOne, pkTwo].map((pk) => pk?.split('#')[2]);
    expect(tags[0]).not.toBe(tags[1]);
    // What he can compute without the pepper stands nowhere.
    for (const text of [nin, `NIN:${nin}`, `${one.id}:${nin}`, `live#${one.id}#${nin}`])
      for (const algorithm of ['md5', 'sha1', 'sha256', 'sha512'])
        for (const encoding of ['hex', 'base64url', 'base64'] as const) {
          const digest = createHash(algorithm).update(text).digest(encoding);
          expect(stolen).not.toContain(digest.slice(0, 16));
        }
    expect(stolen).not.toContain(nin);
    // The pepper itself is in no table.
    expect(stolen).not.toMatch(/pepper/i);
  });
});
