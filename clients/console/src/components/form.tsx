import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Problem } from '../api.ts';
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

/**
 * Moves the focus to the first rejected field, and brings its message into view: the form may be long. For an item of a
 * list, it is the field of the list. A check of stored values can have a message too, so names decide first.
 */
function showProblem(form: HTMLFormElement, { field, others }: Problem): void {
  const names = [field, ...others.map((one) => one.field)]
    .filter(Boolean)
    .map((name) => name.replace(/\.\d+$/, ''));
  const named = Array.from(form.elements).find((one) => names.includes(one.getAttribute('name') ?? ''));
  const around = (named ?? form.querySelector('.field-error:not(:empty)'))?.closest(
    '.field, .choice, .nested',
  );
  around?.querySelector<HTMLElement>('input, select, textarea')?.focus();
  const message = (around ?? form).querySelector('.field-error:not(:empty), .notice.error');
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
    if (problem && shown.current) showProblem(shown.current, problem);
  }, [problem]);
  return (
    <form
      ref={shown}
      noValidate
      onInput={({ target }) => {
        // After `change`, because a checkbox that is rendered before it returns to its old value.
        setTimeout(() => form.edited(target as Node));
      }}
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
