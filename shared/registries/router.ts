import type { RegistryRouting } from '../core/config.ts';
import type { Environment } from '../core/environment.ts';
import type { IdType } from '../core/id-types.ts';
import type { ProviderKey } from '../core/keys.ts';
import { specialNumber } from '../core/numbers.ts';
import { askBanks } from './ask-banks.ts';
import {
  type AskedQuery,
  type Attempt,
  allowsFailover,
  askerOf,
  askProvider,
  decisiveAttempt,
  type FailedProvider,
  failedProvider,
  SHORTEST_WAIT_MS,
} from './ask-provider.ts';
import {
  attemptDeadlineMs,
  type Candidate,
  type PlannedAttempt,
  planAttempts,
  retryAfterSeconds,
} from './breaker.ts';
import type { ProviderRecorder } from './health/recorder.ts';
import type { RegistryStates, StateRead } from './health/state-copies.ts';
import type { Bank } from './mapping/nuban.ts';
import type { RegistryProvider, RegistryQuery, RegistryResult } from './port.ts';

export interface RoutedResult {
  readonly result: RegistryResult;
  /** The provider that returned the result. Both names are empty if no provider could be asked. */
  readonly provider: Pick<RegistryProvider, 'name' | 'displayName'>;
  readonly failedProviders: readonly FailedProvider[];
}

export type Availability =
  | { readonly kind: 'available' }
  /**
   * No provider is configured, or each is disabled or has an open breaker that permits no probe yet.
   * `retryAfterSeconds` is the time until the next probe. It is undefined if no configured provider is enabled.
   */
  | { readonly kind: 'unavailable'; readonly retryAfterSeconds?: number };

type AskedNumber = Pick<RegistryQuery, 'level' | 'number'> & AskedQuery;

export type RegistryRouter = ReturnType<typeof registryRouter>;

/** Receives each attempt of a look-up when the attempt ends. Must not throw. */
export type OnAttempt = (attempt: Attempt) => void;

interface RouterDependencies {
  readonly routing: RegistryRouting;
  readonly makeProvider: (name: string) => RegistryProvider;
  readonly recorder: ProviderRecorder;
  readonly nowMs: () => number;
}

const NO_PROVIDER = { name: '', displayName: '' };
/**
 * No provider was asked: none was available, or the breakers permitted only a probe, and this request did not acquire
 * it.
 */
const NOT_ASKED: RoutedResult = {
  result: { kind: 'unreachable', detail: 'breaker-open' },
  provider: NO_PROVIDER,
  failedProviders: [],
};

/** An attempt whose outcome is being recorded. */
interface RecordedAttempt extends Attempt {
  readonly recorded: Promise<void>;
}

/** Routes test keys to the sandbox only, and live keys to the providers in `routing` (contract A9, B3). */
export function registryRouter(deps: RouterDependencies) {
  const { routing, makeProvider, recorder, nowMs } = deps;
  const providers = new Map<string, RegistryProvider>();

  function providerNamed(name: string): RegistryProvider {
    const provider = providers.get(name) ?? makeProvider(name);
    providers.set(name, provider);
    return provider;
  }

  function namesFor(env: Environment, idType: IdType): readonly string[] {
    return env === 'test' ? ['sandbox'] : (routing[idType] ?? []);
  }

  function namesForNumber(env: Environment, { idType, number }: Pick<RegistryQuery, 'idType' | 'number'>) {
    const special = specialNumber(idType, number);
    const names = namesFor(env, idType);
    return special ? names.filter((name) => providerNamed(name).specialNumbers?.includes(special)) : names;
  }

  function candidates(env: Environment, query: AskedNumber, states: RegistryStates): Candidate[] {
    return namesForNumber(env, query)
      .filter((name) => providerNamed(name).idTypes[query.idType]?.includes(query.level))
      .map((name) => ({ name, state: states({ provider: name, env, idType: query.idType }) }));
  }

  /** Asks the planned providers in turn until a result is final or no time is left. */
  async function askInTurn(
    env: Environment,
    query: RegistryQuery,
    plan: readonly PlannedAttempt[],
    attempts: RecordedAttempt[],
    onAttempt: OnAttempt,
  ): Promise<void> {
    const untried = new Set(plan.map(({ name }) => name));
    for (const { name, state, isProbe } of plan) {
      if (!untried.has(name)) continue;
      if (attempts.length > 0 && query.deadlineMs - nowMs() < SHORTEST_WAIT_MS) return;
      const key = { provider: name, env, idType: query.idType };
      if (isProbe && !(await recorder.takeProbe(key, state, nowMs(), query.organisationId))) continue;
      untried.delete(name);
      const deadlineMs = attemptDeadlineMs(state, untried.size, query.deadlineMs, nowMs());
      const attempt = await askProvider(providerNamed(name), { ...query, deadlineMs }, env, nowMs);
      onAttempt(attempt);
      attempts.push({ ...attempt, recorded: recorder.record(attempt, state) });
      if (!allowsFailover(attempt.result)) return;
    }
  }

  function providerKeys(env: Environment, idTypes: readonly IdType[]): ProviderKey[] {
    return idTypes.flatMap((idType) => namesFor(env, idType).map((provider) => ({ provider, env, idType })));
  }

  return {
    providerKeys,
    /** Begins reading these states for a request, except those that this instance has just read. */
    beginRead: (env: Environment, idTypes: readonly IdType[]): StateRead =>
      recorder.beginRead(providerKeys(env, idTypes)),
    availability(env: Environment, query: AskedNumber, states: RegistryStates): Availability {
      const all = candidates(env, query, states);
      if (all.length === 0) return { kind: 'unavailable' };
      if (planAttempts(all, nowMs(), askerOf(query)).length > 0) return { kind: 'available' };
      const seconds = retryAfterSeconds(all, nowMs(), askerOf(query));
      return { kind: 'unavailable', ...(seconds !== undefined && { retryAfterSeconds: seconds }) };
    },
    /**
     * Looks up a number within the query's deadline:
     * 1. Plans which providers to ask, and in which order, from the states of their breakers.
     * 2. Asks the first, with a deadline that leaves time for the others.
     * 3. Passes the attempt to `onAttempt`, and records its outcome for other instances in parallel with the next step.
     * 4. Asks the next if the result permits it (`allowsFailover`). Any other result is final.
     */
    async lookUp(
      env: Environment,
      query: RegistryQuery,
      states: RegistryStates,
      onAttempt: OnAttempt,
    ): Promise<RoutedResult> {
      const attempts: RecordedAttempt[] = [];
      const plan = planAttempts(candidates(env, query, states), nowMs(), askerOf(query));
      try {
        await askInTurn(env, query, plan, attempts, onAttempt);
      } finally {
        // Waits, because Lambda freezes a function and its writes after the response.
        await Promise.all(attempts.map(({ recorded }) => recorded));
      }
      const decisive = decisiveAttempt(attempts);
      if (!decisive) return NOT_ASKED;
      const others = attempts.filter((attempt) => attempt !== decisive);
      return {
        result: decisive.result,
        provider: decisive.provider,
        failedProviders: others.map(failedProvider),
      };
    },
    /** Whether providers of this ID type are configured, but none of them looks up numbers of this kind. */
    rejectsNumber: (env: Environment, query: Pick<RegistryQuery, 'idType' | 'number'>): boolean =>
      namesFor(env, query.idType).length > 0 && namesForNumber(env, query).length === 0,
    /** Whether a provider finds the bank of an account itself, so that requests need no bank code. */
    findsBankOfAccount(env: Environment) {
      return namesFor(env, 'NUBAN').some((name) => providerNamed(name).findsBankOfAccount);
    },
    /**
     * Looks up an account at each of these banks, through the first available provider whose name enquiries are free
     * (contract D8).
     */
    async lookUpAtBanks(
      env: Environment,
      query: RegistryQuery,
      banks: readonly Bank[],
      states: RegistryStates,
      onAttempt: OnAttempt,
    ): Promise<RoutedResult> {
      const free = candidates(env, query, states).filter(
        ({ name }) => providerNamed(name).hasFreeNameEnquiry,
      );
      const bankCodes = banks.flatMap((bank) => askerOf({ idType: query.idType, bank }).bankCodes ?? []);
      const [planned] = planAttempts(free, nowMs(), { ...askerOf(query), bankCodes });
      if (!planned || banks.length === 0) return NOT_ASKED;
      const { name, state, isProbe } = planned;
      const key = { provider: name, env, idType: query.idType };
      if (isProbe && !(await recorder.takeProbe(key, state, nowMs(), query.organisationId))) return NOT_ASKED;
      const { result, attempt } = await askBanks(providerNamed(name), query, banks, env, nowMs);
      onAttempt(attempt);
      await recorder.record(attempt, state);
      return { result, provider: attempt.provider, failedProviders: [] };
    },
  };
}
