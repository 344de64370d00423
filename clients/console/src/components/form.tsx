import type { ComponentChildren } from 'preact';
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
 * A form with its button. Its fields show their own problems. All other problems appear above the button, which is
 * labelled Retry if the same request may succeed later.
 */
export function Form<V extends object>(props: FormProps<V>) {
  const { form, action, onSubmit, kind = 'primary', onCancel, children } = props;
  const problem = form.problem.value;
  const isOfField = problem !== undefined && form.shows(problem);
  const label = problem?.isTemporary ? sharedTexts.retry : action;
  return (
    <form
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
