import { describe, expect, test } from '@jest/globals';
import { MINUTE_MS } from '../../shared/core/clock.ts';
import type { WalletId } from '../../shared/core/keys.ts';
import { eraseNumber } from '../../shared/ledger/erase.ts';
import type { LogEntry } from '../../shared/ledger/rows/log-entry.ts';
import { sweepHolds } from '../../shared/ledger/sweep.ts';
import type { VerificationDependencies } from '../../shared/verifications/middleware/dependencies.ts';
import { numberTags } from '../../shared/verifications/number-tag.ts';
import { captureLines } from './captured.ts';
import type { Caller } from './in-process.ts';
import { type MemoryService, memoryService, PEPPER } from './memory-service.ts';
import { askForSlip, findsAll, SOME_NIN, verifyNin } from './routes-in-memory.ts';

/** Erasures with requests, replays and sweeps before, during and after them (docs/privacy/erase.md). */

captureLines();

const KEY = { 'Idempotency-Key': ['a-key-of-this-customer'] };
const ONE_ROW = { erased: 1, slips: 0 };
const NO_ROW = { erased: 0, slips: 0 };
const DETAILS = { consent: 'CONS-2231', reason: 'account opening', reference: 'customer-4711' };

interface Story {
  readonly service: MemoryService;
  readonly who: Caller;
  readonly wallet: WalletId;
  /** The tag of the number under the current pepper. */
  readonly tag: string;
  verify(headers?: Record<string, string[]>): ReturnType<typeof verifyNin>;
  /** Erases the number. `meanwhile` runs while the erasure waits for requests in progress. */
  erase(meanwhile?: () => Promise<unknown>): Promise<unknown>;
  /** Writes the log row of a request that made a slip. */
  logSlip(requestId: string): Promise<unknown>;
  /** The requests whose slips were withdrawn, each with the tag of its log row at that time. */
  readonly withdrawn: readonly (readonly [requestId: string, tag: string])[];
  sweep(): Promise<unknown>;
  /** Returns whether the number's rows permit a slip. */
  permitsSlip(): Promise<boolean>;
  /** Returns the prefix of each log row's tag: `erased`, or the pepper's version. Skips the markers of erasures. */
  tags(): string[];
  /** Returns the values of an attribute in the current log rows. */
  logged(name: string): unknown[];
}

async function story(lookUp = findsAll): Promise<Story> {
  const service = memoryService();
  service.registry.lookUp = lookUp;
  const who = await service.newCaller(20);
  const wallet = { env: 'live', organisationId: who.account.organisation?.id ?? '' } as const;
  const { clock, deps } = service;
  const tags = numberTags(PEPPER, wallet, 'NIN', SOME_NIN);
  const withdrawn: [requestId: string, tag: string][] = [];
  const rows = () => service.logRows().filter(({ pk }) => !pk.endsWith('#ERASED'));
  return {
    service,
    who,
    wallet,
    tag: tags[0],
    verify: (headers = {}) => verifyNin(service, who, { headers, ...DETAILS }),
    erase(meanwhile = async () => undefined) {
      const pause = async (ms: number) => {
        await meanwhile();
        clock.nowMs += ms;
      };
      const tables = {
        erasures: service.erasures,
        idempotency: deps.ledger.idempotency,
        async withdrawSlip({
          requestId,
          service: name,
        }: {
          readonly requestId: string;
          readonly service: string;
        }) {
          if (name !== 'nin-slip') return false;
          const found = rows().find(({ row }) => row?.['requestId'] === requestId);
          withdrawn.push([requestId, found?.pk.split('#')[2] ?? '']);
          return true;
        },
      };
      return eraseNumber(wallet, tags, tables, { ...deps.clock, pause });
    },
    withdrawn,
    logSlip: (requestId) =>
      deps.ledger.log.writeOnce({
        ...{
          wallet,
          numberTag: tags[0],
          operationId: requestId,
          requestId,
          service: 'nin-slip',
          outcome: 'FOUND',
        },
        ...{ httpStatus: 200, creditsCharged: 1, provider: 'dojah', keyLabel: 'till', latencyMs: 1 },
        requestedAt: new Date(clock.nowMs).toISOString(),
      }),
    sweep: () => sweepHolds(deps.ledger, deps.clock, (error) => expect(error).toBeUndefined()),
    async permitsSlip() {
      const code = await askForSlip(service, who);
      expect(['VERIFICATION_LOG_NOT_FOUND', 'NIN_NOT_FOUND']).toContain(code);
      return code === 'NIN_NOT_FOUND';
    },
    tags: () => rows().map(({ pk }) => pk.split('#')[2]?.split('.')[0] ?? ''),
    logged: (name) => rows().flatMap(({ row }) => row?.[name] ?? []),
  };
}

/**
 * Makes every write of a log row fail, so that the request is charged but not logged. Returns a getter for the log row
 * that could not be written.
 */
function withoutLog({ service }: Pick<Story, 'service'>): () => LogEntry {
  let unlogged: LogEntry | undefined;
  service.onCall = ({ input }) => {
    const { TableName, Item } = input as { TableName?: string; Item?: LogEntry };
    if (TableName !== 'VerificationLogs' || !Item) return;
    unlogged = Item;
    throw new Error('The log table does not respond.');
  };
  return () => {
    if (!unlogged) throw new Error('The service has not tried to write a log row.');
    return unlogged;
  };
}

describe('after an erasure', () => {
  test('a free replay is rejected, and writes no further row under the number', async () => {
    const it = await story();
    await it.verify(KEY);
    expect((await it.verify(KEY)).headers?.['Idempotent-Replayed']).toBe('true');
    await it.erase();
    const lookUps = it.service.registry.calls;
    expect(await it.verify(KEY)).toMatchObject({ status: 409, code: 'REPLAY_EXHAUSTED', credits: '0' });
    expect(it.service.registry.calls).toBe(lookUps);
    expect(it.tags()).toEqual(['erased', 'erased']);
    expect(await it.permitsSlip()).toBe(false);
  });

  test('a repeat of a request that was not charged is rejected too', async () => {
    const it = await story(async () => ({ kind: 'not-found', detail: '' }));
    await it.verify(KEY);
    await it.erase();
    expect(await it.verify(KEY)).toMatchObject({ status: 409, code: 'REPLAY_EXHAUSTED' });
    expect(it.service.charges()).toEqual([]);
  });

  test('no row contains the fingerprint, consent, reason, reference or key of the request', async () => {
    const it = await story();
    await it.verify(KEY);
    expect(it.logged('consent')).toEqual([DETAILS.consent]);
    expect(it.logged('idempotencyHash')).toHaveLength(1);
    expect(it.logged('referenceKey')).toHaveLength(1);
    const times = [it.logged('timeKey'), it.logged('timeSort')];
    await it.erase();
    expect(it.logged('consent')).toEqual([]);
    expect(it.logged('reason')).toEqual([]);
    expect(it.logged('reference')).toEqual([]);
    expect(it.logged('referenceKey')).toEqual([]);
    expect(it.logged('idempotencyHash')).toEqual([]);
    expect([it.logged('timeKey'), it.logged('timeSort')]).toEqual(times);
    const claims = it.service.writes.filter(({ sk }) => sk === 'IDEMPOTENCY');
    expect(claims.at(-1)?.row?.['fingerprint']).toBe('erased');
  });

  test('rows keep only what docs/privacy/erase.md lists, such as the link of a free replay', async () => {
    const it = await story();
    await it.verify(KEY);
    await it.verify(KEY);
    await it.erase();
    const rows = it.service.logRows().filter(({ pk }) => !pk.endsWith('#ERASED'));
    const keys = ['pk', 'sk', 'requestKey', 'timeKey', 'timeSort', 'expiresAt'];
    const ids = ['requestId', 'operationId', 'keyLabel', 'provider'];
    const ends = ['service', 'outcome', 'code', 'httpStatus', 'creditsCharged'];
    const times = ['requestedAt', 'latencyMs', 'registryMs', 'ledgerMs', 'checksMs'];
    const names = [...keys, ...ids, ...ends, ...times];
    expect(rows.map(({ row }) => Object.keys(row ?? {}).sort())).toEqual([
      [...names].sort(),
      [...names, 'replayOf', 'replayedRequestId'].sort(),
    ]);
    const claim = it.service.writes.filter(({ sk }) => sk === 'IDEMPOTENCY').at(-1)?.row;
    expect(Object.keys(claim ?? {}).sort()).toEqual([
      ...['expiresAt', 'fingerprint', 'operationId', 'pk', 'replays', 'requestId', 'sk', 'startedAtMs'],
    ]);
  });

  test('a new verification of the number is kept, and permits a slip', async () => {
    const it = await story();
    await it.verify();
    await it.erase();
    expect((await it.verify()).status).toBe(200);
    expect(new Set(it.tags()).size).toBe(2);
    expect(await it.permitsSlip()).toBe(true);
  });
});

describe('an erasure', () => {
  test('withdraws the slips of its rows before it moves them, and those of a request in progress', async () => {
    const it = await story();
    await it.verify();
    await it.logSlip('req_000000000001');
    expect(await it.erase(() => it.logSlip('req_000000000002'))).toEqual({ erased: 3, slips: 2 });
    expect(it.withdrawn).toEqual([
      ['req_000000000001', it.tag],
      ['req_000000000002', it.tag],
    ]);
    expect(await it.erase()).toEqual(NO_ROW);
  });

  test('does not affect a verification that begins while it waits', async () => {
    const it = await story();
    await it.verify();
    const verifyLater = async () => {
      it.service.clock.nowMs += 10_000;
      await it.verify();
    };
    expect(await it.erase(verifyLater)).toEqual(ONE_ROW);
    expect(it.tags().filter((tag) => tag === 'erased')).toHaveLength(1);
    expect(await it.permitsSlip()).toBe(true);
  });

  test('that was interrupted is completed by the next one, and a repeated one changes nothing', async () => {
    const it = await story();
    await it.verify(KEY);
    await it.verify();
    let moves = 0;
    it.service.onCall = ({ input }) => {
      const { TransactItems = [] } = input as { TransactItems?: { Delete?: object }[] };
      if (!TransactItems.some(({ Delete }) => Delete)) return;
      moves += 1;
      if (moves > 1) throw new Error('Interrupted.');
    };
    await expect(it.erase()).rejects.toThrow('Interrupted.');
    it.service.onCall = () => undefined;
    expect(it.tags().filter((tag) => tag === 'erased')).toHaveLength(1);
    expect(await it.erase()).toEqual(ONE_ROW);
    expect(await it.erase()).toEqual(NO_ROW);
    expect(it.tags()).toEqual(['erased', 'erased']);
    expect(it.logged('requestId')).toHaveLength(2);
  });
});

test('an attempt that begins during an erasure keeps its fingerprint and its free replays', async () => {
  const it = await story(async () => ({ kind: 'not-found', detail: '' }));
  withoutLog(it);
  await it.verify(KEY);
  it.service.onCall = () => undefined;
  it.service.registry.lookUp = findsAll;
  const repeat = async () => {
    it.service.clock.nowMs += 10_000;
    expect(await it.verify(KEY)).toMatchObject({ status: 200, credits: '1' });
  };
  await it.erase(repeat);
  await it.sweep();
  expect(await it.verify(KEY)).toMatchObject({ status: 200, credits: '0' });
  expect(it.tags().filter((tag) => tag === 'erased')).toHaveLength(1);
});

describe('consent, reason and reference are in the log row', () => {
  test('of a free replay', async () => {
    const it = await story();
    await it.verify(KEY);
    await it.verify(KEY);
    expect(it.logged('replayOf')).toHaveLength(1);
    expect(it.logged('consent')).toEqual([DETAILS.consent, DETAILS.consent]);
    expect(it.logged('reason')).toEqual([DETAILS.reason, DETAILS.reason]);
    expect(it.logged('reference')).toEqual([DETAILS.reference, DETAILS.reference]);
  });

  test.each([
    ['charged', findsAll],
    [
      'abandoned',
      async () => {
        throw new Error('The process was killed.');
      },
    ],
  ] as const)('of a request that was killed, which the sweeper writes: %s', async (_, lookUp) => {
    const it = await story(lookUp);
    withoutLog(it);
    await it.verify();
    it.service.onCall = () => undefined;
    expect(it.tags()).toEqual([]);
    it.service.clock.nowMs += MINUTE_MS;
    await it.sweep();
    expect(it.logged('consent')).toEqual([DETAILS.consent]);
    expect(it.logged('reason')).toEqual([DETAILS.reason]);
    expect(it.logged('reference')).toEqual([DETAILS.reference]);
    expect(it.logged('timeSort')).toHaveLength(1);
  });
});

describe('after a rotation of the pepper', () => {
  const OLD = PEPPER;
  const NEW = { current: 'the next pepper of tests', previous: PEPPER['current'] ?? '' };

  /** Returns two function instances, of which only one has seen the rotation. */
  async function twoInstances() {
    const it = await story(findsAll);
    const older = it.service.instance(OLD, NEW);
    const newer = it.service.instance(NEW, NEW);
    const on = (deps: VerificationDependencies) => ({ ...it.service, deps: { ...it.service.deps, ...deps } });
    const verify = (deps: VerificationDependencies) =>
      verifyNin(on(deps), it.who, { headers: KEY, ...DETAILS });
    return { ...it, older, newer, on, verify };
  }

  test.each(['the older instance first', 'the newer instance first'])(
    'the same request under the same key is charged once while instances disagree: %s',
    async (order) => {
      const { service, older, newer, verify, logged, tags } = await twoInstances();
      const turns = order.startsWith('the older') ? [older, newer, older] : [newer, older, newer];
      const credits: string[] = [];
      for (const deps of turns) {
        const response = await verify(deps);
        expect([response.status, response.code]).toEqual([200, 'NIN_VERIFIED']);
        credits.push(response.credits);
        service.clock.nowMs += 100_000;
      }
      expect(credits).toEqual(['1', '0', '0']);
      expect(service.charges()).toHaveLength(1);
      // One row for each operation, whichever pepper its tag was computed with.
      expect(new Set(logged('operationId')).size).toBe(tags().length);
    },
  );

  test('an instance with only the older pepper still rejects a different request under the same key', async () => {
    const { service, who, older, newer, on, verify } = await twoInstances();
    await verify(newer);
    const other = await verifyNin(on(older), who, { headers: KEY, nin: '41234567891' });
    expect([other.status, other.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
    expect(service.charges()).toHaveLength(1);
  });

  test('a request whose pepper is no longer in use is not charged again', async () => {
    const { service, who, older, on, verify } = await twoInstances();
    await verify(older);
    const latest = { current: 'a third pepper of tests', previous: NEW.current };
    const third = service.instance(latest, latest);
    const again = await verifyNin(on(third), who, { headers: KEY, ...DETAILS });
    expect([again.status, again.code]).toEqual([409, 'REPLAY_EXHAUSTED']);
    expect(service.charges()).toHaveLength(1);
  });

  test('a known pepper is not fetched again, so that callers cannot cause calls to Secrets Manager', async () => {
    const { who, older, on } = await twoInstances();
    let refreshes = 0;
    const counting = {
      ...older,
      refreshPepper: async () => {
        refreshes += 1;
        return OLD;
      },
    };
    await verifyNin(on(counting), who, { headers: KEY });
    await verifyNin(on(counting), who, { headers: KEY, nin: '41234567891' });
    expect(refreshes).toBe(0);
  });

  test.each(['older', 'newer'] as const)(
    'a verification by the %s instance permits a slip from the other',
    async (first) => {
      const { who, older, newer, on } = await twoInstances();
      const [verifier, press] = first === 'older' ? [older, newer] : [newer, older];
      await verifyNin(on(verifier), who);
      expect(await askForSlip(on(press), who)).toBe('NIN_NOT_FOUND');
      expect(await askForSlip(on(press), who, '41234567891')).toBe('VERIFICATION_LOG_NOT_FOUND');
    },
  );
});
