import { type Signal, signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { get, type Problem, type Result } from './api.ts';

export interface LoadedData<T> {
  readonly state: Signal<DataState<T>>;
  /** Reads again. The shown data stays until the response has arrived. */
  reload(): Promise<void>;
  /** Shows data that a change has returned. Responses to earlier requests are ignored, and their data is read again. */
  replace(value: T): void;
}

type DataState<T> =
  | { readonly is: 'loading' }
  | { readonly is: 'loaded'; readonly value: T }
  | { readonly is: 'failed'; readonly problem: Problem };

/** Requests that were sent before the code of their page had arrived. */
const early = new Map<string, Promise<Result<unknown>>>();

export function requestEarly(path: string): void {
  early.set(path, get(path));
}

/** Whether the role of the person does not permit them to see the data. The page then shows only who may. */
export const isRefused = ({ state: { value } }: LoadedData<unknown>): boolean =>
  value.is === 'failed' && value.problem.code === 'ROLE_REQUIRED';

export function useData<T>(path: string): LoadedData<T> {
  // Each path has its own state, so that a response that arrives late is not shown for another path.
  const data = useMemo(() => dataOf<T>(path), [path]);
  useEffect(() => {
    data.reload();
    const retry = () => {
      if (data.state.peek().is === 'failed') data.reload();
    };
    addEventListener('online', retry);
    return () => removeEventListener('online', retry);
  }, [data]);
  return data;
}

function dataOf<T>(path: string): LoadedData<T> {
  const state = signal<DataState<T>>({ is: 'loading' });
  let sent = 0;
  /** Responses to requests up to this number are shown or out of date. */
  let shown = 0;
  const reload = async () => {
    sent += 1;
    const number = sent;
    const request = (early.get(path) ?? get(path)) as Promise<Result<T>>;
    early.delete(path);
    const result = await request;
    if (number <= shown) return;
    if (result.ok) shown = number;
    state.value = result.ok
      ? { is: 'loaded', value: result.data }
      : { is: 'failed', problem: result.problem };
  };
  return {
    state,
    reload,
    replace: (value) => {
      state.value = { is: 'loaded', value };
      if (sent === shown) return;
      // The response to come may be older than the change.
      shown = sent;
      reload();
    },
  };
}
