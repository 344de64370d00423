import { afterEach, expect, jest, test } from '@jest/globals';
import type { RegistryResult } from '../../../shared/registries/port.ts';

process.env['POWERTOOLS_METRICS_NAMESPACE'] = 'Story';
const { reportLookUp } = await import('../../../shared/registries/health/metrics.ts');

afterEach(() => {
  jest.restoreAllMocks();
});

/** The metric lines of one look-up. */
function linesOf(answer: RegistryResult): unknown[] {
  const written: string[] = [];
  // The library writes to a console of its own, its warnings to the other stream.
  jest.spyOn(process.stdout, 'write').mockImplementation((text) => {
    written.push(String(text));
    return true;
  });
  const warned = jest.spyOn(process.stderr, 'write').mockImplementation(() => true);
  const place = { provider: 'dojah', env: 'live' } as const;
  reportLookUp({ place, idType: 'NIN', answer, startedMs: 1_000, endedMs: 1_412.4 });
  expect(warned).not.toHaveBeenCalled();
  return written.map((line) => JSON.parse(line) as unknown);
}

test.each([
  [{ kind: 'timeout', detail: 'after-sending', maybeBilled: true }, 1],
  [{ kind: 'unreachable', detail: 'ECONNREFUSED', maybeBilled: false }, 0],
  [{ kind: 'not-found', detail: 'http-404' }, 0],
] as const)('latency, outcome and what may be billed for nothing: %j', (answer, maybeBilled) => {
  const whole = {
    ...{ environment: 'live', outcome: answer.kind },
    ...{ lookUps: 1, lookUpLatency: 412, maybeBilled },
  };
  expect(linesOf(answer)).toEqual([
    expect.objectContaining({ ...whole, provider: 'dojah', idType: 'NIN' }),
    expect.objectContaining(whole),
  ]);
});
