import { eventsOf, type Line, PHASES, type Phase, type RequestLine, requestsOf } from './journal.ts';
import type { DayRecord } from './record.ts';

/** The day at a glance, as a Markdown table. */
export function dayTable(lines: readonly Line[]): string {
  const requests = requestsOf(lines);
  const head = ['phase', 'requests', 'answers', 'charged', 'lost', 'p50 ms', 'p95 ms'];
  const ofPhase = Map.groupBy(requests, ({ phase }) => phase);
  const rows = PHASES.map((phase) => row(phase, ofPhase.get(phase) ?? []));
  const texts = [head, ...rows, row('all', requests)].map((cells) => `| ${cells.join(' | ')} |`);
  return [texts[0], `|${'---|'.repeat(head.length)}`, ...texts.slice(1)].join('\n');
}

/** What the table does not tell: kills and what they cut, the watch's view, and the reconciliation. */
export function daySummary({ lines, rows, log, reconciliation }: DayRecord): string {
  const kills = eventsOf(lines, 'kill').length;
  const charges = rows.wallets.filter(({ sk }) => sk === 'CHARGE');
  const charged = charges.filter(({ state }) => state === 'CHARGED').length;
  const seen = requestsOf(lines).filter(({ status, isReplay }) => status === 200 && !isReplay).length;
  const abandoned = charges.filter(({ outcome }) => outcome === 'ABANDONED').length;
  return [
    `${kills} kills. ${charged} charges: ${seen} with their answer, ${charged - seen} cut after the charge and fetched again for nothing; ${abandoned} requests cut before it and decided by others.`,
    `Live look-ups: ${list(log.lookUps)}. Processes started, by release: ${list(log.starts)}.`,
    `Sweeps: ${list(log.sweeps)}. Versions retired: ${log.retiredVersions}.`,
    `reconcile: ${reconciliation.words}`,
  ].join('\n');
}

function list(counts: object): string {
  return Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');
}

function row(name: Phase | 'all', requests: readonly RequestLine[]): string[] {
  const answered = requests.filter(({ code }) => code !== 'cut');
  const times = answered.map(({ sentAtMs, answeredAtMs }) => answeredAtMs - sentAtMs).sort((a, b) => a - b);
  const charged = answered.filter(({ isReplay, status }) => status === 200 && !isReplay);
  const credits = charged.reduce((total, { cost }) => total + cost, 0);
  const lost = requests.length - answered.length;
  const counts = [
    requests.length,
    answersOf(answered),
    credits,
    lost,
    quantile(times, 0.5),
    quantile(times, 0.95),
  ];
  return [name, ...counts.map(String)];
}

/** How often each status and code, the most frequent first; verified records of all types are one. */
function answersOf(answered: readonly RequestLine[]): string {
  const named = Map.groupBy(answered, ({ status, code, isReplay }) =>
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
