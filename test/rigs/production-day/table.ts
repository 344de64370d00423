import type { Explanation } from './explain-charges.ts';
import {
  killEffects,
  type Line,
  missWaits,
  PHASES,
  type Phase,
  type RequestLine,
  requestsOf,
} from './journal.ts';
import type { SimulationRecord } from './record.ts';

export function phaseTable(lines: readonly Line[]): string {
  const requests = requestsOf(lines);
  const head = ['phase', 'requests', 'responses', 'charged', 'lost', 'p50 ms', 'p95 ms'];
  const ofPhase = Map.groupBy(requests, ({ phase }) => phase);
  const rows = PHASES.map((phase) => row(phase, ofPhase.get(phase) ?? []));
  const texts = [head, ...rows, row('all', requests)].map((cells) => `| ${cells.join(' | ')} |`);
  return [texts[0], `|${'---|'.repeat(head.length)}`, ...texts.slice(1)].join('\n');
}

/** Returns what the table does not show: the effects of kills, metrics, and the reconciliation. */
export function summary({ lines, rows, log, reconciliation, explanation }: SimulationRecord): string {
  const { kills, beforeCharge, afterCharge } = killEffects(lines);
  const charged = rows.wallets.filter(({ sk, state }) => sk === 'CHARGE' && state === 'CHARGED').length;
  return [
    `${kills} kills, ${beforeCharge} of them before a charge and ${afterCharge} after one. ${charged} charges.`,
    `Live look-ups: ${list(log.lookUps)}. Processes started, by release: ${list(log.starts)}.`,
    `Custom metrics: ${log.customMetrics.length} (${log.customMetrics.join(', ')}).`,
    `Sweeps: ${list(log.sweeps)}. Versions retired: ${log.retiredVersions}.`,
    `Reconciliation: ${list(reconciliation)}.`,
    ...(explanation ? lenderSummary(explanation, lines) : []),
  ].join('\n');
}

function lenderSummary({ problems, ...counts }: Explanation, lines: readonly Line[]): string[] {
  const { requests, seconds } = missWaits(lines);
  return [
    `Lender: ${list(counts)}, problems ${problems.length}.`,
    `Requests that waited for the limit on misses: ${requests}, for ${seconds} s.`,
  ];
}

function list(counts: object): string {
  return Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');
}

function row(name: Phase | 'all', requests: readonly RequestLine[]): string[] {
  const complete = requests.filter(({ code }) => code !== 'cut');
  const times = complete.map(({ sentAtMs, respondedAtMs }) => respondedAtMs - sentAtMs).sort((a, b) => a - b);
  const charged = complete.filter(({ isReplay, status }) => status === 200 && !isReplay);
  const credits = charged.reduce((total, { cost }) => total + cost, 0);
  const lost = requests.length - complete.length;
  const counts = [
    requests.length,
    responsesOf(complete),
    credits,
    lost,
    quantile(times, 0.5),
    quantile(times, 0.95),
  ];
  return [name, ...counts.map(String)];
}

/** Returns the number of responses by status and code, the most frequent first. Adds up those of all ID types. */
function responsesOf(complete: readonly RequestLine[]): string {
  const named = Map.groupBy(complete, ({ status, code, isReplay }) =>
    status === 200
      ? `200 ${isReplay ? 'replayed' : 'verified'}`
      : `${status} ${code.replace(/^(NIN|BVN|TIN|NUBAN)_/, '*_')}`,
  );
  const counts = [...named].map(([name, list]) => [name, list.length] as const).sort(([, a], [, b]) => b - a);
  return counts.map(([name, count]) => `${count} × ${name}`).join(', ');
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
