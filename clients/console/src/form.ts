import { effect, type Signal, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { beforeLeaving, type FieldProblem, type Problem, type Result, shownPage } from './api.ts';
import { sharedTexts } from './shared-texts.ts';

export interface Form<V extends object> {
  readonly values: Signal<V>;
  readonly isSending: Signal<boolean>;
  /** Why the last attempt failed. If it names a field, the message is shown next to that field. */
  readonly problem: Signal<Problem | undefined>;
  /** Whether the input was kept from before. */
  readonly isRestored: Signal<boolean>;
  set<K extends keyof V>(name: K, value: V[K]): void;
  /** Returns the message next to the field that has this name in the request body, until its value changes. */
  errorOf(field: string): string | undefined;
  /** Removes the messages next to a control whose value changes: they concern the old one. */
  edited(control: Node): void;
  /** Whether the field that a problem names is one of those whose messages are shown. */
  shows(problem: FieldProblem): boolean;
  /** Shows problems that were found without a request. */
  reject(field: string, message: string, others?: readonly FieldProblem[]): void;
  /** Does nothing while the form is being sent. */
  submit<T>(run: () => Promise<Result<T>>): Promise<Result<T> | undefined>;
  reset(to?: V): void;
}

/**
 * Returns a form. If a sign-in or a change of the session interrupts it, the browser's session storage keeps its input
 * under `name`, for the same person in the same organisation. `isPage`: it also keeps the input if the person leaves the
 * page in another way; a dialog is closed to discard it. The input must not contain secrets.
 */
export function useForm<V extends object>(name: string, initial: V, isPage = false): Form<V> {
  const values = useSignal<V>(initial);
  const isSending = useSignal(false);
  const { show, ...messages } = useMessages();
  const isRestored = useSignal(false);
  /** The values if nothing has been entered since the page opened or the last successful submission. */
  const unedited = useSignal(values.value);
  useEffect(() => {
    const keep = () => {
      if (!isSignedOut && (isSending.value || values.value !== unedited.value))
        sessionStorage.setItem(storageKey(name), JSON.stringify(values.value));
      return isSending.value;
    };
    beforeLeaving.add(keep);
    if (isPage) addEventListener('pagehide', keep);
    return () => {
      beforeLeaving.delete(keep);
      removeEventListener('pagehide', keep);
      if (isPage) keep();
    };
  }, []);
  // Again once the page is known, which it may not be before the first response.
  useEffect(() => {
    const kept = shownPage.value && values.peek() === unedited.peek() && takeInput<V>(name);
    if (!kept) return;
    values.value = { ...initial, ...kept };
    isRestored.value = true;
  }, [shownPage.value]);
  return {
    values,
    isSending,
    ...messages,
    isRestored,
    set(key, value) {
      values.value = { ...values.value, [key]: value };
    },
    reject(field, message, others = []) {
      const found = { code: 'INVALID_SCHEMA', message, field, others };
      show({ ...found, requestId: '', isTemporary: false });
    },
    async submit(run) {
      if (isSending.value) return undefined;
      isSending.value = true;
      const result = await run();
      isSending.value = false;
      if (result.ok) {
        unedited.value = values.value;
        isRestored.value = false;
      }
      show(result.ok ? undefined : result.problem);
      return result;
    },
    reset(to = initial) {
      values.value = unedited.value = to;
      show(undefined);
      isRestored.value = false;
    },
  };
}

/** The problem of the last attempt, and its messages next to fields. */
function useMessages() {
  const problem = useSignal<Problem | undefined>(undefined);
  /** The fields that have a place for a message, and those that were edited since the last attempt. */
  const fields = useRef(new Set<string>());
  const editedFields = useSignal<readonly string[]>([]);
  return {
    problem,
    show(found: Problem | undefined) {
      editedFields.value = [];
      problem.value = found;
    },
    errorOf(field: string) {
      fields.current.add(field);
      const { value } = problem;
      if (editedFields.value.includes(field)) return undefined;
      const found = value && [value, ...value.others].find((one) => isIn(field, one));
      return found && fieldMessage(found);
    },
    edited(control: Node) {
      if (!problem.value) return;
      const around = [...fields.current].filter((field) =>
        document.getElementById(`field-${field}-error`)?.parentElement?.contains(control),
      );
      editedFields.value = [...editedFields.value, ...around];
    },
    shows: (found: FieldProblem) => [...fields.current].some((field) => isIn(field, found)),
  };
}

function isIn(field: string, { field: rejected }: FieldProblem): boolean {
  return rejected === field || rejected.startsWith(`${field}.`);
}

/** Returns the message without the path of the field, which people do not see: "This field must not be empty." */
function fieldMessage({ field, message }: FieldProblem): string {
  const [, index] = /\.(\d+)$/.exec(field) ?? [];
  const name = index === undefined ? 'This field' : sharedTexts.line(Number(index) + 1);
  return message.replace(`The field ${field} `, `${name} `);
}

const PREFIX = 'input:';
const storageKey = (name: string) => `${PREFIX}${shownPage.peek()}:${name}`;

let isSignedOut = false;

/** Removes the kept input, and keeps no more: the next person may use the same tab. */
export function forgetInput(): void {
  isSignedOut = true;
  removeInput(() => true);
}

// Another person has signed in since.
effect(() => {
  const [, person] = shownPage.value?.split('.') ?? [];
  if (person) removeInput((key) => !key.includes(`.${person}:`));
});

function removeInput(isOf: (key: string) => boolean): void {
  for (const key of Object.keys(sessionStorage))
    if (key.startsWith(PREFIX) && isOf(key)) sessionStorage.removeItem(key);
}

/** Returns the kept input of a form, if any. The page then reopens the dialog that contains the form. */
export function keptInput<V>(name: string): V | undefined {
  const text = sessionStorage.getItem(storageKey(name));
  return text ? (JSON.parse(text) as V) : undefined;
}

function takeInput<V>(name: string): V | undefined {
  const input = keptInput<V>(name);
  sessionStorage.removeItem(storageKey(name));
  return input;
}
