import type * as v from 'valibot';
import type { ActionOutcome, RequestedChange } from '../../shared/operators/action.ts';
import type { ALL_ACTIONS } from '../../shared/operators/actions/all.ts';
import { type ActionName, actionPath, OPERATION_PATH } from '../../shared/operators/actions.ts';
import type { BackgroundChange } from '../../shared/operators/background-table.ts';
import { type SigningConfig, signedFetch } from './signed-fetch.ts';

/** The client of the operator API, through which every change is made. */

type Actions = typeof ALL_ACTIONS;
export type InputOf<N extends ActionName> = v.InferInput<Actions[N]['body']>;
type Background<N extends ActionName> = Actions[N] extends { readonly inBackground?: infer F }
  ? Awaited<ReturnType<Extract<F, (...args: never) => unknown>>>
  : never;
export type ResultOf<N extends ActionName> =
  | Extract<Awaited<ReturnType<Actions[N]['run']>>, { kind: 'done' }>['result']
  | Background<N>;
type Changed<N extends ActionName> = Exclude<ActionOutcome<ResultOf<N>>, { readonly kind: 'accepted' }>;

/** The body of a response. */
interface Reply {
  readonly result?: unknown;
  readonly requested?: RequestedChange;
  readonly background?: { readonly id: string };
  readonly error?: { readonly message: string };
  /** API Gateway's own errors. */
  readonly message?: string;
}

const TIMEOUT_MS = 40_000;
const POLL_MS = 1_000;
/** A change in the background reports its progress more often, unless its function was stopped. */
const SILENT_MS = 5 * 60_000;
const MAX_FAILED_POLLS = 10;

export class OperatorApi {
  readonly #url: string;
  readonly #config: SigningConfig;

  /** `config`: the credentials and the region with which requests are signed. */
  constructor(url: string, config: SigningConfig) {
    this.#url = url.replace(/\/$/, '');
    this.#config = config;
  }

  /**
   * Makes a change. Waits for it if it continues in the background, and calls `onProgress` with how far it has
   * progressed. Throws with the message of the API if it is not possible. `path`: where the action has a parameter.
   */
  async change<N extends ActionName>(
    name: N,
    input: InputOf<N>,
    onProgress: (progress: unknown) => void = () => undefined,
    path = actionPath(name),
  ): Promise<Changed<N>> {
    const { result, requested, background } = await this.#send('POST', path, input);
    if (requested) return { kind: 'requested', requested };
    if (background === undefined) return { kind: 'done', result: result as ResultOf<N> };
    return { kind: 'done', result: (await this.#wait(background.id, onProgress)) as ResultOf<N> };
  }

  async #wait(id: string, onProgress: (progress: unknown) => void): Promise<unknown> {
    let shown = '';
    let failures = 0;
    for (;;) {
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      const change = await this.#read(id).catch((error: unknown) => {
        failures += 1;
        if (failures > MAX_FAILED_POLLS) throw error;
        return undefined;
      });
      if (!change) continue;
      failures = 0;
      const progress = JSON.stringify(change.progress);
      if (change.progress !== undefined && progress !== shown) onProgress(change.progress);
      shown = progress;
      if (change.state === 'DONE') return change.result;
      if (change.state === 'FAILED') throw new Error(change.problem);
      if (Date.now() - change.updatedAtMs > SILENT_MS)
        throw new Error(
          `The change ${id} has made no progress for 5 minutes. Run the same command again: it completes what was begun.`,
        );
    }
  }

  async #read(id: string): Promise<BackgroundChange> {
    return this.#send<BackgroundChange>('GET', OPERATION_PATH.replace('{id}', id));
  }

  async #send<T extends object = Reply>(method: 'GET' | 'POST', path: string, input?: object): Promise<T> {
    const response = await signedFetch(
      {
        method,
        url: new URL(this.#url + path),
        signal: AbortSignal.timeout(TIMEOUT_MS),
        ...(input && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(input) }),
      },
      this.#config,
    );
    const reply = (await response.json().catch(() => ({}))) as T & Reply;
    if (response.ok) return reply;
    const message = reply.error?.message ?? reply.message ?? `The operator API returned ${response.status}.`;
    throw Object.assign(new Error(message), { ...(response.status === 403 && { name: 'AccessDenied' }) });
  }
}
