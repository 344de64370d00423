import './environment.ts';

import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { ROUTES } from '../../infra/routes.ts';
import { USUAL_RECORD } from '../slips/records.ts';
import { identifyingTexts } from '../support/canaries.ts';
import { get, logLines, number, organisation, post } from '../support/service.ts';
import { expectRejected, writtenSoFar } from './attack.ts';
import { captureLines } from './captured.ts';
import { memoryService } from './memory-service.ts';
import { findsAll, SOME_NIN, verifyNin } from './routes-in-memory.ts';
import { readCanaries, searchText } from './search-log.ts';
import { consoleTable, exportRows, exportTables, logRowOf, paymentsTable } from './tables.ts';

/**
 * Identity data where it must not be (S43, S44, S47, S53, S83, S84). test/run.ts searches the output of the whole run.
 */

const lines = captureLines();
const CANARIES = [SOME_NIN, ...identifyingTexts(USUAL_RECORD)];
// Invented names. cspell:ignore Wolowitzka Xylographa Ekundayomi Qudus
const MESSAGE = `no record for ${SOME_NIN}, ${USUAL_RECORD.firstname} ${USUAL_RECORD.lastname}`;

function failures(): [string, () => never][] {
  const error =
    (name: string, more: object = {}) =>
    () => {
      throw Object.assign(new Error(MESSAGE), { name, ...more });
    };
  return [
    ['an uncaught error', error('Error')],
    ['a type error with a cause', error('TypeError', { cause: new Error(MESSAGE) })],
    [
      'an SDK error that quotes the item',
      error('ValidationException', { $metadata: {}, Item: USUAL_RECORD }),
    ],
    ['an SDK timeout', error('TimeoutError', { $response: { body: MESSAGE } })],
    [
      'a string instead of an error',
      () => {
        throw MESSAGE;
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

const SPACED_NIN = `${SOME_NIN.slice(0, 4)} ${SOME_NIN.slice(4, 7)}-${SOME_NIN.slice(7)}`;

describe('privacy', () => {
  test('S53: an identity number, a line break or an escape sequence in `consent` or `reason`; the number of the request in `reference`', async () => {
    const service = memoryService();
    service.registry.lookUp = findsAll;
    const who = await service.newCaller(5);
    const before = await service.balance(who);
    const rows = service.writes.length;
    const numbers = [SOME_NIN, `NIN ${SPACED_NIN}`, '４１２３４５６７８９０'];
    const texts = [...numbers, 'x\n1', '\u001b[2J'];
    for (const text of texts)
      for (const field of ['consent', 'reason', 'reference']) {
        const body = JSON.stringify({ nin: SOME_NIN, [field]: text });
        const { status, code, credits, response } = await verifyNin(service, who, { body });
        expect([status, code, credits]).toEqual([400, 'INVALID_SCHEMA', '0']);
        const reason = field === 'reference' && numbers.includes(text) ? 'wrong_value' : 'wrong_format';
        expect(JSON.parse(response.body).error).toMatchObject({ reason, field });
        expect(response.body).not.toContain(JSON.stringify(text).slice(1, -1));
      }
    expect(service.registry.calls).toBe(0);
    expect(await service.balance(who)).toEqual(before);
    const written = service.writes.slice(rows);
    expect(written.filter(({ tableName }) => tableName !== 'ApiKeys')).toEqual([]);
    for (const text of texts)
      expect(JSON.stringify(written)).not.toContain(JSON.stringify(text).slice(1, -1));
  });

  test.each(['found', 'not-found', 'failed', 'unreachable', 'timeout'] as const)(
    'S43: identity data in a look-up that ends in %s',
    async (kind) => {
      lines.length = 0;
      const service = memoryService();
      const who = await service.newCaller(5);
      service.registry.lookUp =
        kind === 'found' ? findsAll : async () => ({ kind, detail: 'NO_RECORD', maybeBilled: true });
      await verifyNin(service, who, { headers: { 'Idempotency-Key': ['a-key-of-16-letters'] } });
      expect(lines.length).toBeGreaterThan(0);
      expect(searchText(lines.join('\n'), CANARIES)).toEqual([]);
      expect(searchText(service.writes.map((write) => JSON.stringify(write)).join('\n'), CANARIES)).toEqual(
        [],
      );
    },
  );

  test.each(failures())('S43: identity data in %s of the registry client', async (_, fail) => {
    lines.length = 0;
    const service = memoryService();
    const who = await service.newCaller(5);
    service.registry.lookUp = async () => fail();
    const { status, response, credits } = await verifyNin(service, who);
    expect([status, credits, (await service.balance(who)).available]).toEqual([500, '0', 5]);
    expect(searchText(lines.join('\n') + response.body, CANARIES)).toEqual([]);
  });

  test.each(failures())('S43: identity data in %s of any database call', async (_, fail) => {
    for (let failing = 0; failing < 8; failing += 1) {
      lines.length = 0;
      const service = memoryService();
      const who = await service.newCaller(5);
      service.registry.lookUp = findsAll;
      let calls = 0;
      service.onCall = () => {
        calls += 1;
        if (calls > failing) fail();
      };
      const { status, response } = await verifyNin(service, who);
      service.onCall = () => undefined;
      const isServed = status === 200;
      expect(isServed).toBe(response.body.includes(SOME_NIN));
      expect(searchText(lines.join('\n') + (isServed ? '' : response.body), CANARIES)).toEqual([]);
      // An error is never charged, except possibly a 503, which may mean that the outcome is unknown.
      if (!isServed && status !== 503) expect(service.charges()).toEqual([]);
    }
  });

  test('S43: identity data in the logs and tables of the running service', async () => {
    const who = await organisation({ credits: 20 });
    const endings = ['0001', '0404', '0400', '0503', '0500', '0206'];
    for (const ending of endings)
      await post('/v1/ng/nin-premium', { nin: number(ending) }, { key: who.live });
    const before = await exportTables();
    const nin = number();
    const { json } = await post('/v1/ng/nin-premium', { nin }, { key: who.live });
    await post('/v1/ng/nin/slip/download', { nin, slip_type: 'premium' }, { key: who.live });
    // Leaves out strings that the tables contained before, such as the name of a member or of a state.
    const seen = identifyingTexts(json?.data).filter((text) => searchText(before, [text]).length === 0);
    expect(seen).toContain(nin);
    expect(seen.length).toBeGreaterThan(5);
    const file = process.env['CANARY_FILE'];
    // Short names also occur as words in other rows, for example in the name of an organisation.
    const long = file ? readCanaries(file).filter((text) => text.length >= 11) : [];
    // Customers' own details are stored: their members, their profiles, and the billing details that their invoices
    // contain.
    const rows = (await Promise.all([paymentsTable, consoleTable].map(exportRows))).flat();
    const own = new Set(rows.flatMap((row) => identifyingTexts(row)));
    const profiles = JSON.stringify(rows.filter(({ sk }) => sk === 'PROFILE'));
    const others = long.filter((text) => !own.has(text) && !profiles.includes(text));
    expect(searchText(await exportTables(), [...seen, ...others])).toEqual([]);
    expect(searchText(writtenSoFar(), seen)).toEqual([]);
  });

  describe('claimed details', () => {
    const claimed = {
      firstname: 'Wolowitzka',
      lastname: 'Ẹ̀kúndayọ̀mí',
      middlename: 'Xylographa',
      birthdate: '30-12-1931',
      phone: '+2349988776655',
    };
    const claims = [...Object.values(claimed), 'Ekundayomi', '09988776655', '9988776655', '1931-12-30'];
    const nameless = (detail: string) => async () => ({ kind: 'failed' as const, detail });
    const body = (more: object) => JSON.stringify({ nin: SOME_NIN, match: claimed, ...more });
    const headers = { 'Idempotency-Key': ['a-key-of-16-letters'] };

    test.each([
      ['a record that matches', findsAll, {}, 200],
      ['a record, with match_only', findsAll, { match_only: true }, 200],
      ['no record', async () => ({ kind: 'not-found' as const, detail: 'NO_RECORD' }), {}, 400],
      ['a provider that needs names', nameless('names-needed'), {}, 400],
      ['a broken registry client', async () => Promise.reject(new Error(JSON.stringify(claimed))), {}, 500],
      ['an unknown detail', findsAll, { match: { ...claimed, [claimed.firstname]: 1 } }, 400],
      ['a wrong detail', findsAll, { match: { ...claimed, gender: claimed.firstname } }, 400],
      ['an unknown field next to match', findsAll, { matching: claimed }, 400],
    ])('S83: claimed details in logs, rows, headers and errors: %s', async (_, lookUp, more, expected) => {
      lines.length = 0;
      const service = memoryService();
      const who = await service.newCaller(5);
      service.registry.lookUp = lookUp;
      const sent = { body: body(more), headers };
      const { status, response } = await verifyNin(service, who, sent);
      expect(status).toBe(expected);
      // The free replay writes a row of its own, and a request with different details is compared with the stored one.
      if (status === 200) {
        expect((await verifyNin(service, who, sent)).credits).toBe('0');
        const other = await verifyNin(service, who, {
          body: body({ match: { lastname: 'Qudus' } }),
          headers,
        });
        expect(other.code).toBe('IDEMPOTENCY_KEY_REUSED');
      }
      const rows = service.writes.map((write) => JSON.stringify(write)).join('\n');
      expect(lines.length).toBeGreaterThan(0);
      expect(rows.length).toBeGreaterThan(0);
      expect(searchText(`${lines.join('\n')}\n${rows}\n${JSON.stringify(response.headers)}`, claims)).toEqual(
        [],
      );
      // The name of an unknown field is the caller's own, and the error repeats it.
      const withoutField = response.body.replaceAll(`match.${claimed.firstname}`, '');
      if (status !== 200) expect(searchText(withoutField, claims)).toEqual([]);
    });

    test('S83: claimed details in logs, rows, headers and errors: the running service', async () => {
      const who = await organisation({ credits: 20 });
      const key = { key: who.live, headers: { 'Idempotency-Key': `privacy-${who.id}` } };
      for (const ending of ['0301', '0404', '0400', '0500', '0206'])
        await post('/v1/ng/bvn-basic', { bvn: number(ending), match: claimed }, { key: who.live });
      const request = { bvn: number(), match: claimed, match_only: true };
      const { json } = await post('/v1/ng/bvn-basic', request, key);
      await post('/v1/ng/bvn-basic', request, key);
      await post('/v1/ng/bvn-basic', { ...request, match: { ...claimed, gender: 'x' } }, key);
      await post('/v1/ng/tin-basic', { tin: '1234567890', match: claimed }, { key: who.live });
      const nin = number();
      await post('/v1/ng/nin-basic', { nin }, { key: who.live });
      const slip = { nin, slip_type: 'regular', match: claimed };
      for (const more of [{}, { match_only: true }, { match: { ...claimed, gender: 'x' } }])
        await post('/v1/ng/nin/slip/download', { ...slip, ...more }, { key: who.live });
      const statement = await get('/v1/wallet/transactions', { key: who.live });
      const log = await get('/v1/verifications', { key: who.live });
      const entry = await get(`/v1/verifications/${json?.meta.request_id}`, { key: who.live });
      expect(searchText([statement, log, entry].map(({ text }) => text).join('\n'), claims)).toEqual([]);
      expect(searchText(await exportTables(), claims)).toEqual([]);
      expect(searchText(writtenSoFar(), claims)).toEqual([]);
    });
  });

  test('S84: guessing the details of a person with one match after another', async () => {
    const service = memoryService();
    const who = await service.newCaller(40);
    service.registry.lookUp = findsAll;
    const guess = (nin: string, birthdate: string) =>
      verifyNin(service, who, { body: JSON.stringify({ nin, match: { birthdate }, match_only: true }) });
    const results = new Set<string>();
    for (let year = 1980; year < 1990; year += 1) {
      const { status, credits, response } = await guess(SOME_NIN, `13-03-${year}`);
      // Each guess costs as much as the record itself, and reveals only whether it was right.
      expect([status, credits]).toEqual([200, '1']);
      results.add(response.body.replace(/^.*"data":/, '').replace(/,"meta".*$/, ''));
      service.clock.nowMs += 100;
    }
    expect([...results]).toEqual([JSON.stringify({ nin: SOME_NIN })]);
    // Ten guesses at one number in a day are the most, and a right one is not told apart.
    for (const birthdate of ['13-03-1990', '12-03-1990'])
      expect(await guess(SOME_NIN, birthdate)).toMatchObject({ code: 'RATE_LIMITED', credits: '0' });
    expect((await service.balance(who)).available).toBe(30);
    expect(await guess('41234567891', '13-03-1990')).toMatchObject({ status: 200, credits: '1' });
  });

  test('S44: an identity number in a URL', async () => {
    // Routes accept no identity number in a path or query: access logs, proxies and browser histories keep URLs.
    const parameters = ROUTES.flatMap(({ path }) => path.match(/\{\w+\}/g) ?? []);
    // The number identifies an invoice, and the reference identifies an order.
    const harmless = ['{request_id}', '{token}', '{number}', '{reference}'];
    expect(new Set(parameters)).toEqual(new Set(harmless));
    const who = await organisation();
    const nin = number();
    for (const path of [`/v1/ng/nin-basic/${nin}`, `/v1/ng/nin/slip/download/${nin}`, `/v1/${nin}`])
      await expectRejected(who, { status: 404, code: 'ROUTE_NOT_FOUND', hidden: [nin] }, () =>
        post(path, {}, { key: who.live }),
      );
    const result = await get(`/v1/wallet/balance?nin=${nin}`, { key: who.live });
    expect([result.status, result.json?.code]).toEqual([400, 'INVALID_SCHEMA']);
    expect(JSON.stringify(logLines(result.json?.meta.request_id ?? ''))).not.toContain(nin);
    expect(writtenSoFar()).not.toContain(nin);
  });

  test('S47: searching stolen tables for a number', async () => {
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
    // The tables contain no hash of the number that a thief could compute without the pepper.
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
