import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Form as FormState } from '../form.ts';
import { sharedTexts } from '../shared-texts.ts';
import { Button } from './button.tsx';
import { ProblemNotice, RestoredNotice } from './notice.tsx';

interface FormProps<V extends object> {
  readonly form: FormState<V>;
  /** The text of the button, such as "Create key". */
  readonly action: string;
  readonly onSubmit: () => void;
  readonly kind?: 'primary' | 'plain' | 'danger';
  /** For forms in dialogs. */
  readonly onCancel?: () => void;
  readonly children: ComponentChildren;
}

/** Moves the focus to the first field with a message, and brings the message into view: the form may be long. */
function showProblem(form: HTMLFormElement): void {
  const message = form.querySelector('.field-error:not(:empty), .notice.error');
  const field = message?.closest('.field, .choice, .nested');
  field?.querySelector<HTMLElement>('input, select, textarea')?.focus();
  message?.scrollIntoView({ block: 'nearest' });
}

/**
 * A form with its button. Its fields show their own problems. All other problems appear above the button, which is
 * labelled Retry if the same request may succeed later.
 */
export function Form<V extends object>(props: FormProps<V>) {
  const { form, action, onSubmit, kind = 'primary', onCancel, children } = props;
  const problem = form.problem.value;
  const isOfField = problem !== undefined && form.shows(problem);
  const label = problem?.isTemporary ? sharedTexts.retry : action;
  const shown = useRef<HTMLFormElement>(null);
  // Each attempt that fails has a problem of its own.
  useEffect(() => {
    if (problem && shown.current) showProblem(shown.current);
  }, [problem]);
  return (
    <form
      ref={shown}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <RestoredNotice isRestored={form.isRestored.value} />
      {children}
      <ProblemNotice problem={isOfField ? undefined : problem} />
      <div class="buttons">
        <Button kind={kind} type="submit" isBusy={form.isSending.value}>
          {form.isSending.value ? 'Sending…' : label}
        </Button>
        {onCancel && <Button onClick={onCancel}>{sharedTexts.cancel}</Button>}
      </div>
    </form>
  );
}
