import type { ComponentChildren } from 'preact';

interface BadgeProps {
  /** Only adds a colour. The text itself names the state. */
  readonly kind?: 'plain' | 'good' | 'warning' | 'bad';
  readonly children: ComponentChildren;
}

export function Badge({ kind = 'plain', children }: BadgeProps) {
  return <span class={`badge ${kind}`}>{children}</span>;
}
