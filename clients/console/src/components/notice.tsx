import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Problem } from '../api.ts';
import { sharedTexts } from '../shared-texts.ts';
import { Button } from './button.tsx';
import { Owners } from './owners.tsx';

interface NoticeProps {
  /** The text must make the kind clear too, so that colour is never the only sign. */
  readonly kind: 'information' | 'success' | 'warning' | 'error';
  readonly children: ComponentChildren;
}

/**
 * A message on the page. Screen readers announce errors at once, and other messages when they are idle. The result of an
 * action comes into view, because the button may be far below it.
 */
export function Notice({ kind, children }: NoticeProps) {
  const notice = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (kind === 'success' || kind === 'error') notice.current?.scrollIntoView({ block: 'nearest' });
  }, [kind]);
  return (
    <div ref={notice} class={`notice ${kind}`} role={kind === 'error' ? 'alert' : 'status'}>
      {children}
    </div>
  );
}

interface ProblemNoticeProps {
  readonly problem: Problem | undefined;
  readonly onRetry?: () => void;
}

export function ProblemNotice({ problem, onRetry }: ProblemNoticeProps) {
  if (!problem) return null;
  return (
    <Notice kind="error">
      <p>
        {problem.message} {problem.code === 'ROLE_REQUIRED' && <Owners />}
      </p>
      {problem.requestId && <p class="small">Request ID: {problem.requestId}</p>}
      {onRetry && problem.isTemporary && <Button onClick={onRetry}>{sharedTexts.retry}</Button>}
    </Notice>
  );
}

/** Of an action without a form, which the person has to repeat. */
export function RepeatNotice() {
  return (
    <Notice kind="warning">
      You have signed in again. Your last action was not carried out: choose it again.
    </Notice>
  );
}

export function RestoredNotice({ isRestored }: { readonly isRestored: boolean }) {
  return isRestored ? <Notice kind="information">Your input is still here. Check it.</Notice> : null;
}
