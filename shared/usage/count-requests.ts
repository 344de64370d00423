import { lagosDay } from '../core/accounting-month.ts';
import type { Environment } from '../core/environment.ts';
import type { IdType } from '../core/id-types.ts';
import type { Outcome } from '../core/outcome.ts';
import type { ListedRow } from '../verifications/listed-log.ts';
import { SERVICES, type ServiceName } from '../verifications/services.ts';
import { bucketOf } from './latency.ts';
import type { UsageRow, WalletRegistriesRow } from './rows.ts';

/** Without a result because of the registry. */
const REGISTRY_FAILURES: ReadonlySet<Outcome> = new Set(['FAILED', 'UNREACHABLE', 'TIMEOUT']);

type CountedRequest = Pick<
  ListedRow,
  | 'service'
  | 'outcome'
  | 'creditsCharged'
  | 'keyLabel'
  | 'latencyMs'
  | 'requestedAt'
  | 'provider'
  | 'replayOf'
>;

type Mutable<T> = { -readonly [name in keyof T]: T[name] };
type Counts = Record<string, number>;
interface Usage extends Omit<Mutable<UsageRow>, 'countedAt' | 'latency' | 'outcomes'> {
  readonly latency: Counts;
  readonly outcomes: { [name in Outcome]?: { requests: number; credits: number } };
}
interface Registry {
  requests: number;
  failures: number;
  readonly latency: Counts;
}

/**
 * Counts by days in Africa/Lagos for usage, and live requests by UTC days for registries. Add each row once, in any
 * order.
 */
export class RequestCount {
  readonly #env: Environment;
  readonly #first: string;
  readonly #last: string;
  readonly #usage = new Map<string, Usage>();
  readonly #registries = new Map<string, Map<IdType, Registry>>();

  constructor(env: Environment, first: string, last: string) {
    this.#env = env;
    this.#first = first;
    this.#last = last;
  }

  add(request: CountedRequest): void {
    const day = lagosDay(Date.parse(request.requestedAt));
    if (this.#has(day)) this.#addUsage(day, request);
    const utcDay = request.requestedAt.slice(0, 10);
    if (this.#env === 'live' && this.#has(utcDay) && asksRegistry(request))
      this.#addRegistry(utcDay, request);
  }

  usage(countedAt: string): UsageRow[] {
    return [...this.#usage.values()].map((row) => ({ ...row, countedAt }));
  }

  registries(countedAt: string): WalletRegistriesRow[] {
    return [...this.#registries].map(([day, types]) => ({
      day,
      types: Object.fromEntries(types),
      countedAt,
    }));
  }

  #has(day: string): boolean {
    return day >= this.#first && day <= this.#last;
  }

  #addUsage(day: string, request: CountedRequest): void {
    const { service, keyLabel, outcome, creditsCharged } = request;
    const row = this.#rowOf(day, service, keyLabel);
    row.requests += 1;
    row.credits += creditsCharged;
    if (request.replayOf !== undefined) row.replays += 1;
    row.outcomes[outcome] ??= { requests: 0, credits: 0 };
    row.outcomes[outcome].requests += 1;
    row.outcomes[outcome].credits += creditsCharged;
    if (asksRegistry(request)) countLatency(row.latency, request);
  }

  #rowOf(day: string, service: string, keyLabel: string): Usage {
    const name = usageName({ day, service, keyLabel });
    const known = this.#usage.get(name);
    if (known) return known;
    const row = { day, service, keyLabel, requests: 0, credits: 0, replays: 0, outcomes: {}, latency: {} };
    this.#usage.set(name, row);
    return row;
  }

  #addRegistry(day: string, request: CountedRequest): void {
    const idType = idTypeOf(request.service);
    if (!idType) return;
    const types = this.#registries.get(day) ?? new Map<IdType, Registry>();
    this.#registries.set(day, types);
    const registry = types.get(idType) ?? { requests: 0, failures: 0, latency: {} };
    types.set(idType, registry);
    registry.requests += 1;
    if (REGISTRY_FAILURES.has(request.outcome)) registry.failures += 1;
    countLatency(registry.latency, request);
  }
}

/** Neither a day nor a service contains a space. */
export function usageName({
  day,
  service,
  keyLabel,
}: Pick<UsageRow, 'day' | 'service' | 'keyLabel'>): string {
  return `${day} ${service} ${keyLabel}`;
}

/** Undefined for a service that no longer exists. */
export function idTypeOf(service: string): IdType | undefined {
  return Object.hasOwn(SERVICES, service) ? SERVICES[service as ServiceName].idType : undefined;
}

/** A free replay repeats an earlier result. */
function asksRegistry({ provider, replayOf }: CountedRequest): boolean {
  return provider !== '' && replayOf === undefined;
}

function countLatency(latency: Counts, { latencyMs }: CountedRequest): void {
  const bucket = String(bucketOf(latencyMs));
  latency[bucket] = (latency[bucket] ?? 0) + 1;
}
