import type { KeyView, NewKeyView } from '../../../../shared/accounts/console/views.ts';
import { MAX_LABEL_LENGTH } from '../../../../shared/accounts/key-label.ts';
import { ENVIRONMENTS } from '../../../../shared/core/environment.ts';
import { send } from '../api.ts';
import { Dialog } from '../components/dialog.tsx';
import { RadioField, SelectField, TextField } from '../components/field.tsx';
import { Form } from '../components/form.tsx';
import { SignInHint } from '../components/sign-in-hint.tsx';
import { useEnvironment } from '../environment.ts';
import { type Form as FormState, useForm } from '../form.ts';
import { mayCreate } from '../keys/key-rights.ts';
import { CREATE_FORM } from '../keys/opened-dialog.ts';
import { rangeHint } from '../keys/range-texts.ts';
import { sharedTexts } from '../shared-texts.ts';
import { bodyOf, EXPIRY_CHOICES, expiryOf, type KeyInput } from './key-input.ts';
import { ScopeField } from './scope-field.tsx';
import { entriesOf } from './scope-groups.ts';

const ENVIRONMENT_CHOICES = {
  test: { label: 'Test', hint: 'Sandbox records. Costs test credits only.' },
  live: { label: 'Live', hint: 'Real records from the registries. Costs credits.' },
};

interface CreateKeyDialogProps {
  readonly scopes: readonly string[];
  readonly onCreated: (created: NewKeyView) => void;
  readonly onClose: () => void;
}

export function CreateKeyDialog({ scopes, onCreated, onClose }: CreateKeyDialogProps) {
  const shown = useEnvironment();
  const form = useForm<KeyInput>(CREATE_FORM, {
    env: mayCreate(shown) ? shown : 'test',
    label: '',
    permissions: 'all',
    scopes: [],
    addresses: '',
    expires_in_days: undefined,
  });
  const input = form.values.value;
  const create = async () => {
    if (lacksScopes(form)) return;
    const result = await form.submit(() => send<NewKeyView>('POST', '/keys', bodyOf(input)));
    if (result?.ok) onCreated(result.data);
  };
  return (
    <Dialog title="Create an API key" onClose={onClose}>
      <Form form={form} action="Create key" onSubmit={create} onCancel={onClose}>
        <KeyFields form={form} scopes={scopes} />
        {input.env === 'live' && <SignInHint />}
      </Form>
    </Dialog>
  );
}

/** Whether the person has chosen no scope. Says so next to the scopes. */
export function lacksScopes(form: FormState<KeyInput>): boolean {
  const { permissions, scopes } = form.values.value;
  const isLacking = permissions === 'chosen' && scopes.length === 0;
  if (isLacking) form.reject('scopes', 'Choose at least one scope.');
  return isLacking;
}

/** Returns the message next to the addresses, which says what to enter instead if that is known. It names the rejected address, because there may be many. */
function addressProblem(form: FormState<KeyInput>): string | undefined {
  const message = form.errorOf('addresses');
  const { field = '', others = [] } = form.problem.value ?? {};
  const rejected = [field, ...others.map((other) => other.field)];
  const [, index] = /^addresses\.(\d+)$/.exec(rejected.find((one) => /^addresses/.test(one)) ?? '') ?? [];
  const entry = index && entriesOf(form.values.value.addresses)[Number(index)];
  if (!message || !entry) return message;
  const hint = rangeHint(entry);
  if (hint) return hint;
  const named = message.replace(sharedTexts.line(Number(index) + 1), entry);
  return named === message ? `${entry}: ${message}` : named;
}

interface KeyFieldsProps {
  readonly form: FormState<KeyInput>;
  readonly scopes: readonly string[];
  readonly edited?: KeyView;
}

/** The fields of a new key, or of `edited`, which keeps its environment and its expiry. */
export function KeyFields({ form, scopes, edited }: KeyFieldsProps) {
  const input = form.values.value;
  const problem = addressProblem(form);
  return (
    <>
      <TextField
        name="label"
        label="Label"
        hint={`Statements and logs show the label instead of the key. ${edited ? 'Earlier entries keep the old label.' : 'For example: backend.'}`}
        value={input.label}
        maxLength={MAX_LABEL_LENGTH}
        error={form.errorOf('label')}
        onInput={(label) => form.set('label', label)}
      />
      {!edited && <EnvironmentField form={form} />}
      <ScopeField form={form} scopes={scopes} />
      <TextField
        name="addresses"
        label="IP addresses"
        hint="Addresses or networks of your servers, one on each line, such as 203.0.113.0/24. If this is empty, the key works from anywhere."
        value={input.addresses}
        rows={3}
        isCode
        isOptional
        error={problem}
        onInput={(addresses) => form.set('addresses', addresses)}
      />
      <p class="hint range-hints" role="status">
        {entriesOf(input.addresses)
          .flatMap((range) => rangeHint(range) ?? [])
          .filter((hint) => hint !== problem)
          .join(' ')}
      </p>
      {!edited && (
        <SelectField
          name="expires_in_days"
          label="Expires"
          hint="An expired key stops working, so a forgotten copy of it becomes useless."
          value={expiryOf(input)}
          choices={EXPIRY_CHOICES}
          error={form.errorOf('expires_in_days')}
          onChange={(expiry) => form.set('expires_in_days', expiry)}
        />
      )}
    </>
  );
}

/** The choice of the environment. People who may not create live keys see an explanation of test keys instead. */
function EnvironmentField({ form }: Pick<KeyFieldsProps, 'form'>) {
  if (!mayCreate('live')) return <p class="hint before-fields">{ENVIRONMENT_CHOICES.test.hint}</p>;
  const choices = ENVIRONMENTS.toReversed().map((value) => ({
    value,
    ...ENVIRONMENT_CHOICES[value],
  }));
  return (
    <RadioField
      name="env"
      legend="Environment"
      value={form.values.value.env}
      choices={choices}
      error={form.errorOf('env')}
      onChange={(env) => form.set('env', env)}
    />
  );
}
