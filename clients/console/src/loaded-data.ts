import { type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { get, type Problem, type Result } from './api.ts';

/** The data that a page reads when it opens. */
export interface LoadedData<T> {
  readonly state: Signal<DataState<T>>;
  /** Reads again. The shown data stays until the response has arrived. */
  reload(): Promise<void>;
  /** Shows data that a change has returned. */
  replace(value: T): void;
}

export type DataState<T> =
  | { readonly is: 'loading' }
  | { readonly is: 'loaded'; readonly value: T }
  | { readonly is: 'failed'; readonly problem: Problem };

/** Requests that were sent before the code of their page had arrived. */
const early = new Map<string, Promise<Result<unknown>>>();

/** Requests the data of a page that is about to open. */
export function requestEarly(path: string): void {
  early.set(path, get(path));
}

/** Reads a route when the component appears, and again when the path changes. */
export function useData<T>(path: string): LoadedData<T> {
  const state = useSignal<DataState<T>>({ is: 'loading' });
  const load = async (isCurrent: () => boolean) => {
    const request = (early.get(path) ?? get(path)) as Promise<Result<T>>;
    early.delete(path);
    const result = await request;
    if (!isCurrent()) return;
    state.value = result.ok
      ? { is: 'loaded', value: result.data }
      : { is: 'failed', problem: result.problem };
  };
  useEffect(() => {
    let isCurrent = true;
    state.value = { is: 'loading' };
    load(() => isCurrent);
    return () => {
      isCurrent = false;
    };
  }, [path]);
  return {
    state,
    reload: () => load(() => true),
    replace: (value) => {
      state.value = { is: 'loaded', value };
    },
  };
}
