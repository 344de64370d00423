import { afterEach, expect, jest, test } from '@jest/globals';
import type { RegistryResult } from '../../../shared/registries/port.ts';

process.env['POWERTOOLS_METRICS_NAMESPACE'] = 'Test';
const { reportLookUp } = await import('../../../shared/registries/health/metrics.ts');

afterEach(() => {
  jest.restoreAllMocks();
});

/** The metric lines of one attempt. */
function linesOf(result: RegistryResult): unknown[] {
  const written: string[] = [];
  // The library has a console of its own, which writes metrics to stdout and warnings to stderr.
  jest.spyOn(process.stdout, 'write').mockImplementation((text) => {
    written.push(String(text));
    return true;
  });
  const warned = jest.spyOn(process.stderr, 'write').mockImplementation(() => true);
  reportLookUp({
    provider: { name: 'dojah', displayName: 'Dojah' },
    env: 'live',
    idType: 'NIN',
    result,
    startedMs: 1_000,
    endedMs: 1_412.4,
  });
  expect(warned).not.toHaveBeenCalled();
  return written.map((line) => JSON.parse(line) as unknown);
}

test.each([
  [{ kind: 'timeout', detail: 'after-sending', maybeBilled: true }, 1],
  [{ kind: 'unreachable', detail: 'ECONNREFUSED', maybeBilled: false }, 0],
  [{ kind: 'not-found', detail: 'http-404' }, 0],
] as const)('latency, outcome and possible billing of %j are published', (result, maybeBilled) => {
  const total = {
    environment: 'live',
    outcome: result.kind,
    lookUps: 1,
    lookUpLatency: 412,
    maybeBilled,
  };
  expect(linesOf(result)).toEqual([
    expect.objectContaining({ ...total, provider: 'dojah', idType: 'NIN' }),
    expect.objectContaining(total),
  ]);
});

test('a look-up that was not sent counts neither as a failed result nor as any other', () => {
  const result = { kind: 'failed', detail: 'consent-needed', excludedFromHealth: true } as const;

  expect(linesOf(result)).toEqual([
    expect.objectContaining({ provider: 'dojah', idType: 'NIN', outcome: 'not-sent', lookUps: 1 }),
    expect.objectContaining({ outcome: 'not-sent', lookUps: 1 }),
  ]);
});
