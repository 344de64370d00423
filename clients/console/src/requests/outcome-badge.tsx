import type { Outcome } from '../../../../shared/core/outcome.ts';
import { Badge } from '../components/badge.tsx';
import { outcomeNames } from '../shared-texts.ts';

const KINDS = {
  FOUND: 'good',
  NOT_FOUND: 'plain',
  FAILED: 'bad',
  UNREACHABLE: 'bad',
  TIMEOUT: 'bad',
  REFUSED: 'warning',
  ERROR: 'bad',
  ABANDONED: 'warning',
} as const satisfies Record<Outcome, string>;

export function OutcomeBadge({ outcome }: { readonly outcome: Outcome }) {
  return <Badge kind={KINDS[outcome]}>{outcomeNames[outcome]}</Badge>;
}
