import { AsyncLocalStorage } from 'node:async_hooks';

export interface ObservedResponse {
  readonly url: URL;
  readonly status: number;
  readonly json: unknown;
}

type Observer = (response: ObservedResponse) => void;

const observers = new AsyncLocalStorage<Observer>();

/**
 * Runs look-ups and passes each response that they receive to an observer. Functions of the service must not keep
 * responses.
 */
export function observeResponses<T>(observer: Observer, run: () => Promise<T>): Promise<T> {
  return observers.run(observer, run);
}

/** Passes a response to the observer, if there is one. */
export function reportResponse(response: ObservedResponse): void {
  observers.getStore()?.(response);
}
