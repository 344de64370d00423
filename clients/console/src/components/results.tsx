import { useEffect, useRef } from 'preact/hooks';
import type { LoadedData } from '../loaded-data.ts';
import { Data, type DataProps } from './page.tsx';

/**
 * Data that people search. It says when it has loaded. If others are asked for, it brings them into view: the fields
 * above them can fill the window of a phone. Has the environment as its `key`.
 */
export function Results<T>({ data, children }: DataProps<T>) {
  const top = useRef<HTMLParagraphElement>(null);
  const shown = useRef<LoadedData<T>['state']['value']>(undefined);
  const state = data.state.value;
  useEffect(() => {
    if (state.is === 'loading') return;
    if (shown.current && top.current) bringIntoView(top.current);
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

function bringIntoView(top: HTMLElement): void {
  const { y } = top.getBoundingClientRect();
  if (y < 0 || y > innerHeight / 2) top.scrollIntoView();
  // The button that was pressed may be gone.
  if (document.activeElement === document.body) top.focus({ preventScroll: true });
}
