import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

interface MenuProps {
  readonly summary: ComponentChildren;
  readonly children: ComponentChildren;
  /** The button is at the end of its row, so its list extends towards the start of the row. */
  readonly isAtEnd?: boolean;
}

/**
 * A button that opens a list below it. It closes on Escape, on a click elsewhere, and when one of its links is
 * followed.
 */
export function Menu({ summary, children, isAtEnd }: MenuProps) {
  const details = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const close = () => details.current?.removeAttribute('open');
    const onClick = ({ target }: MouseEvent) => {
      const isLink = target instanceof Element && target.closest('a') !== null;
      if (isLink || !(target instanceof Node && details.current?.contains(target))) close();
    };
    const onKey = ({ key }: KeyboardEvent) => {
      if (key !== 'Escape' || !details.current?.open) return;
      close();
      details.current.querySelector('summary')?.focus();
    };
    document.addEventListener('click', onClick);
    document.addEventListener('keydown', onKey);
    return () => {
      document.removeEventListener('click', onClick);
      document.removeEventListener('keydown', onKey);
    };
  }, []);
  return (
    <details class={isAtEnd ? 'menu end' : 'menu'} ref={details}>
      <summary>{summary}</summary>
      <div class="menu-list">{children}</div>
    </details>
  );
}
