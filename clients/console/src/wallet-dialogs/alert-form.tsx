import type { ChangeBalanceAlertBody } from '../../../../shared/payments/console/bodies.ts';
import type { WalletView } from '../../../../shared/payments/console/views.ts';
import { send } from '../api.ts';
import { Button } from '../components/button.tsx';
import { TextField } from '../components/field.tsx';
import { Form } from '../components/form.tsx';
import { SignInHint } from '../components/sign-in-hint.tsx';
import { useForm } from '../form.ts';
import { FORMS } from '../wallet/opened-dialog.ts';
import { wholeNumberOf } from './whole-number.ts';

type Alert = WalletView['alert'];

interface AlertFormProps {
  readonly alert: Alert;
  readonly onSaved: (alert: Alert) => void;
  readonly onCancel: () => void;
}

export function AlertForm({ alert, onSaved, onCancel }: AlertFormProps) {
  const form = useForm(FORMS.alert, { below: String(alert.below) });
  const save = async (body: ChangeBalanceAlertBody) => {
    const result = await form.submit(() => send<Alert>('PUT', '/wallet/alert', body));
    if (result?.ok) onSaved(result.data);
  };
  const submit = () => {
    const below = wholeNumberOf(form.values.value.below);
    if (below === undefined) form.reject('below', 'Enter a whole number of credits, not an amount in naira.');
    else save({ below });
  };
  return (
    <Form form={form} action="Save the alert" onSubmit={submit} onCancel={onCancel}>
      <TextField
        name="below"
        label="Alert below"
        hint="In credits. Owners and finance members receive an email when fewer are left."
        isNumber
        value={form.values.value.below}
        error={form.errorOf('below')}
        onInput={(below) => form.set('below', below)}
      />
      <SignInHint />
      {!alert.is_default && (
        <Button kind="link" onClick={() => save({ below: null })}>
          Use the default
        </Button>
      )}
    </Form>
  );
}
