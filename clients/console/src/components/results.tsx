import { useEffect, useRef } from 'preact/hooks';
import type { LoadedData } from '../loaded-data.ts';
import { Data, type DataProps } from './page.tsx';

/**
 * Data that people search. Later results are brought into view: the fields above them can fill a phone's window. The
 * environment is its `key`.
 */
export function Results<T>({ data, children }: DataProps<T>) {
  const top = useRef<HTMLParagraphElement>(null);
  const shown = useRef<LoadedData<T>['state']['value']>(undefined);
  const state = data.state.value;
  useEffect(() => {
    if (state.is === 'loading') return;
    if (shown.current) bringIntoView(top.current);
    shown.current = state;
  }, [state]);
  return (
    <>
      <p class="hidden" role="status" tabIndex={-1} ref={top}>
        {state.is === 'loaded' && 'The results are shown.'}
      </p>
      <Data data={data}>{children}</Data>
    </>
  );
}

/** Scrolls to an element that is not in the upper half of the window. */
export function bringIntoView(top: HTMLElement | null): void {
  if (!top) return;
  const { y } = top.getBoundingClientRect();
  if (y < 0 || y > innerHeight / 2) top.scrollIntoView();
  // The button that was pressed may be gone.
  if (document.activeElement === document.body) top.focus({ preventScroll: true });
}
