import type { LenderFiles, SentCheck } from './lending.ts';

/**
 * Explains each charge of the lender, as the lender can: from its own files, and from what the API returned for them at
 * the end of the day.
 */

/** A debit in GET /v1/wallet/transactions. */
export interface Debit {
  readonly amount: number;
  readonly request_id: string;
  readonly service: string;
}

/** An entry of GET /v1/verifications. */
export interface LogEntry {
  readonly request_id: string;
  readonly service: string;
  readonly credits_charged: number;
  readonly is_replay: boolean;
  readonly replay_of: string | null;
  readonly reference: string | null;
}

/** What GET /v1/verifications?idempotency_key= returned. */
export interface KeyUse {
  readonly route: string;
  readonly key_state: string;
  readonly request_id: string;
  readonly credits_charged: number;
}

export interface LenderView {
  readonly opening: number;
  readonly credited: number;
  readonly closing: number;
  readonly balance: number;
  readonly debits: readonly Debit[];
  readonly entries: readonly LogEntry[];
  /** By idempotency key. */
  readonly uses: ReadonlyMap<string, readonly KeyUse[]>;
}

export interface Explanation {
  readonly applicants: number;
  readonly numbersSent: number;
  readonly mistyped: number;
  readonly unfinishedChecks: number;
  readonly charges: number;
  /** Charges by the first way that named their check. */
  readonly byRequestId: number;
  readonly byReplay: number;
  readonly byReference: number;
  readonly byKeyOnly: number;
  readonly unexplained: number;
  readonly erasedApplicants: number;
  readonly erasedCharges: number;
  /** Charges of erased applicants of which the lender has only the request ID of a replay. */
  readonly erasedReplays: number;
  readonly problems: readonly string[];
}

type Way = 'byRequestId' | 'byReplay' | 'byReference' | 'byKeyOnly';

export function explainCharges({ sent, erased, unfinished }: LenderFiles, view: LenderView): Explanation {
  const linked = view.debits.map((debit) => ({ debit, ways: waysTo(debit, sent, view) }));
  const firstWays = linked.map(({ ways }) => [...ways].find(([, checks]) => checks.size > 0)?.[0]);
  const count = (way: Way | undefined) => firstWays.filter((first) => first === way).length;
  const ofErased = linked.filter(({ ways }) =>
    [...ways.values()].some((checks) => [...checks].some((name) => erased.has(name.split(' ')[0] ?? ''))),
  );
  return {
    applicants: new Set(sent.map(({ applicant }) => applicant)).size,
    numbersSent: sent.length,
    mistyped: sent.filter(({ isMistyped }) => isMistyped).length,
    unfinishedChecks: unfinished,
    charges: view.debits.length,
    byRequestId: count('byRequestId'),
    byReplay: count('byReplay'),
    byReference: count('byReference'),
    byKeyOnly: count('byKeyOnly'),
    unexplained: count(undefined),
    erasedApplicants: erased.size,
    erasedCharges: ofErased.length,
    erasedReplays: ofErased.filter(({ ways }) => ways.get('byReplay')?.size === 1).length,
    problems: [
      ...linked.flatMap(({ debit, ways }) => linkProblems(debit, ways)),
      ...keyProblems(sent, view),
      ...logProblems(erased, view),
      ...balanceProblems(view),
    ],
  };
}

const nameOf = ({ applicant, route }: SentCheck) => `${applicant} ${route}`;

/** Returns the checks to which each way leads from a debit. */
function waysTo(
  { request_id, service }: Debit,
  sent: readonly SentCheck[],
  { entries, uses }: LenderView,
): ReadonlyMap<Way, ReadonlySet<string>> {
  const replays = new Set(
    entries.filter(({ replay_of }) => replay_of === request_id).map((entry) => entry.request_id),
  );
  const reference = entries.find((entry) => entry.request_id === request_id)?.reference;
  const checks = (fits: (file: SentCheck) => boolean) => new Set(sent.filter(fits).map(nameOf));
  return new Map([
    ['byRequestId', checks((file) => file.requestId === request_id)],
    ['byReplay', checks((file) => file.requestId !== undefined && replays.has(file.requestId))],
    ['byReference', checks((file) => file.applicant === reference && file.route === service)],
    [
      'byKeyOnly',
      checks(({ idempotencyKey }) =>
        (uses.get(idempotencyKey) ?? []).some(
          (use) => use.request_id === request_id && use.key_state === 'charged',
        ),
      ),
    ],
  ]);
}

function linkProblems({ request_id }: Debit, ways: ReadonlyMap<Way, ReadonlySet<string>>): string[] {
  const checks = new Set([...ways.values()].flatMap((names) => [...names]));
  if (checks.size !== 1) return [`the charge ${request_id} belongs to ${checks.size} checks`];
  return ways.get('byKeyOnly')?.size === 1 ? [] : [`no idempotency key names the charge ${request_id}`];
}

/** Compares what the API says of each key with the statement and with what its last response said. */
function keyProblems(sent: readonly SentCheck[], { debits, uses }: LenderView): string[] {
  return sent.flatMap((file) => {
    const { idempotencyKey, isMistyped, isCharged, route } = file;
    const ofKey = uses.get(idempotencyKey) ?? [];
    const charged = ofKey.filter(({ key_state }) => key_state === 'charged');
    const lines = debits.filter(({ request_id }) => charged.some((use) => use.request_id === request_id));
    const problems: string[] = [];
    if (ofKey.some(({ key_state }) => key_state === 'in_progress')) problems.push('is still in progress');
    if (lines.length !== charged.length || lines.length > 1)
      problems.push(`was charged ${charged.length} times, with ${lines.length} lines`);
    if (lines.some(({ amount, service }) => -amount !== charged[0]?.credits_charged || service !== route))
      problems.push('has a line of another price or service');
    if (isMistyped && charged.length > 0) problems.push('was charged without a record');
    if (isCharged && charged.length === 0) problems.push('returned a record without a charge');
    return problems.map((problem) => `${idempotencyKey} ${problem}`);
  });
}

/** Compares the log with the statement. */
function logProblems(erased: ReadonlySet<string>, { debits, entries }: LenderView): string[] {
  const lines = new Set(debits.map(({ request_id }) => request_id));
  const charged = new Set(
    entries.filter(({ credits_charged }) => credits_charged > 0).map(({ request_id }) => request_id),
  );
  return [
    ...[...lines.symmetricDifference(charged)].map(
      (id) => `${id} is only in the log or only in the statement`,
    ),
    ...(lines.size < debits.length ? ['the statement has two lines of one request'] : []),
    ...entries
      .filter(({ is_replay, replay_of }) => is_replay && !lines.has(replay_of ?? ''))
      .map(({ request_id }) => `the replay ${request_id} names no charge`),
    ...entries
      .filter(({ reference }) => reference !== null && erased.has(reference))
      .map(({ request_id }) => `${request_id} has the reference of an erased applicant`),
  ];
}

function balanceProblems({ opening, credited, debits, closing, balance }: LenderView): string[] {
  const sum = debits.reduce((total, { amount }) => total + amount, opening + credited);
  return sum === closing && closing === balance
    ? []
    : [`the lines add up to ${sum}, the statement closes with ${closing}, the balance is ${balance}`];
}
