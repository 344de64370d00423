import type { RegistryRouting } from '../core/config.ts';
import type { Environment } from '../core/environment.ts';
import type { IdType } from '../core/id-types.ts';
import type { ProviderKey } from '../core/keys.ts';
import {
  type AskedProvider,
  askProvider,
  type Heard,
  inVain,
  mayAskAnother,
  telling,
} from './ask-provider.ts';
import {
  ALWAYS_CLOSED,
  askOrder,
  type Candidate,
  type RegistryState,
  retryAfterSeconds,
  type Step,
  shareOf,
} from './breaker.ts';
import type { ProviderRecorder } from './health/recorder.ts';
import type { RegistryProvider, RegistryQuery, RegistryResult } from './port.ts';

/** The shared states of providers by their names, read with the account; who is missing was never in trouble. */
export type RegistryStates = ReadonlyMap<string, RegistryState>;

/** An answer, who gave it, and who was asked before him in vain. Both names are empty where nobody could be asked. */
export interface RoutedResult {
  readonly answer: RegistryResult;
  readonly provider: Pick<RegistryProvider, 'name' | 'displayName'>;
  readonly alsoAsked: readonly AskedProvider[];
}

export type Availability =
  | { readonly kind: 'available' }
  /** No provider is configured, or the breaker of each is open: `retryAfterSeconds` is when one is tried again. */
  | { readonly kind: 'unavailable'; readonly retryAfterSeconds?: number };

export interface RegistryRouter {
  /** Whose states a request for one of these types needs. */
  providerKeys(env: Environment, idTypes: readonly IdType[]): ProviderKey[];
  /** May anybody be asked now? Told before anything is held, and without a call. */
  availability(
    env: Environment,
    asked: Pick<RegistryQuery, 'idType' | 'level'>,
    states: RegistryStates,
  ): Availability;
  /** Asks one provider after the other until one answers; never later than the query's deadline. */
  lookUp(env: Environment, query: RegistryQuery, states: RegistryStates): Promise<RoutedResult>;
}

export interface RouterDependencies {
  readonly routing: RegistryRouting;
  /** Makes a provider by its name. */
  readonly providerNamed: (name: string) => RegistryProvider;
  readonly notes: ProviderRecorder;
  readonly nowMs: () => number;
}

/** Less than this is not worth a provider's while: it would be billed for an answer that nobody waits for. */
const SHORTEST_WAIT_MS = 1_000;
const NOBODY = { name: '', displayName: '' };

/**
 * Test keys reach the sandbox only; live keys reach the providers of the routing, in order (decisions A9, B3).
 * Another provider is asked only where one was unreachable, too slow or rate limited, and never after an answer.
 */
export function registryRouter({ routing, providerNamed, notes, nowMs }: RouterDependencies): RegistryRouter {
  const made = new Map<string, RegistryProvider>();
  const provider = (name: string) => {
    const known = made.get(name) ?? providerNamed(name);
    made.set(name, known);
    return known;
  };
  const namesFor = (env: Environment, idType: IdType) =>
    env === 'test' ? ['sandbox'] : (routing[idType] ?? []);

  function candidates(
    env: Environment,
    { idType, level }: Pick<RegistryQuery, 'idType' | 'level'>,
    states: RegistryStates,
  ): Candidate[] {
    return namesFor(env, idType)
      .filter((name) => provider(name).idTypes[idType]?.includes(level))
      .map((name) => ({ name, state: states.get(name) ?? ALWAYS_CLOSED }));
  }

  /** Asks one provider within its share of the time; `noted` ends when the outcome is written down. */
  async function ask(env: Environment, query: RegistryQuery, { name, state }: Step, later: number) {
    const deadlineMs = shareOf(state, later, query.deadlineMs, nowMs());
    const heard = await askProvider(provider(name), { ...query, deadlineMs }, env, nowMs);
    return { ...heard, noted: notes.note(heard.news, state) };
  }

  /** The steps in turn, until one answers or the time is up. */
  async function askInTurn(env: Environment, query: RegistryQuery, steps: readonly Step[], heard: Noted[]) {
    const untried = new Set(steps.map(({ name }) => name));
    for (const step of steps) {
      if (!untried.has(step.name)) continue;
      if (heard.length > 0 && query.deadlineMs - nowMs() < SHORTEST_WAIT_MS) return;
      const place = { provider: step.name, env };
      if (step.needsLease && !(await notes.takeProbe(place, step.state, nowMs()))) continue;
      untried.delete(step.name);
      const result = await ask(env, query, step, untried.size);
      heard.push(result);
      if (!mayAskAnother(result.answer)) return;
    }
  }

  return {
    providerKeys(env, idTypes) {
      const names = new Set(idTypes.flatMap((idType) => namesFor(env, idType)));
      return [...names].map((name) => ({ provider: name, env }));
    },
    availability(env, asked, states) {
      const all = candidates(env, asked, states);
      if (all.length === 0) return { kind: 'unavailable' };
      if (askOrder(all, nowMs()).length > 0) return { kind: 'available' };
      return { kind: 'unavailable', retryAfterSeconds: retryAfterSeconds(all, nowMs()) };
    },
    async lookUp(env, query, states) {
      const heard: Noted[] = [];
      try {
        await askInTurn(env, query, askOrder(candidates(env, query, states), nowMs()), heard);
      } finally {
        // A function that has answered is frozen, and its writes with it.
        await Promise.all(heard.map(({ noted }) => noted));
      }
      const told = telling(heard);
      if (!told) return { answer: NOT_ASKED, provider: NOBODY, alsoAsked: [] };
      const { answer, provider: teller } = told;
      return { answer, provider: teller, alsoAsked: heard.filter((one) => one !== told).map(inVain) };
    },
  };
}

interface Noted extends Heard {
  readonly noted: Promise<void>;
}

/** The breaker let one request through, and another one was it. */
const NOT_ASKED: RegistryResult = { kind: 'unreachable', detail: 'breaker-open' };
