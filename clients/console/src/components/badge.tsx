import type { ComponentChildren } from 'preact';

interface BadgeProps {
  /** Only adds colour, because the text already has the meaning. */
  readonly kind?: 'plain' | 'good' | 'warning' | 'bad';
  readonly children: ComponentChildren;
}

/** A state in one or two words. */
export function Badge({ kind = 'plain', children }: BadgeProps) {
  return <span class={`badge ${kind}`}>{children}</span>;
}
