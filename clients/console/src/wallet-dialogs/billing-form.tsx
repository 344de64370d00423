import type { BillingFields } from '../../../../shared/payments/console/views.ts';
import { send } from '../api.ts';
import { TextField } from '../components/field.tsx';
import { Form } from '../components/form.tsx';
import { SignInHint } from '../components/sign-in-hint.tsx';
import { type Form as FormState, useForm } from '../form.ts';
import { session } from '../session.ts';
import { FORMS } from '../wallet/opened-dialog.ts';

interface BillingFormProps {
  /** The stored details, or those that the profile suggests. */
  readonly billing: BillingFields | null;
  readonly action: string;
  readonly onSaved: (billing: BillingFields) => void;
  readonly onCancel: () => void;
}

/** The fields as people enter them. The address is one string. */
type Input = Record<keyof BillingFields, string>;

export function BillingForm({ billing, action, onSaved, onCancel }: BillingFormProps) {
  const form = useForm<Input>(FORMS.billing, {
    name: billing?.name ?? session.value?.organisation?.name ?? '',
    address: billing?.address.join('\n') ?? '',
    tax_number: billing?.tax_number ?? '',
    email: billing?.email ?? '',
  });
  const save = async () => {
    const lines = form.values.value.address.split('\n').map((line) => line.trim());
    const body: BillingFields = { ...form.values.value, address: lines.filter(Boolean) };
    const result = await form.submit(() => send<BillingFields>('PUT', '/wallet/billing', body));
    if (result?.ok) onSaved(result.data);
  };
  return (
    <Form form={form} action={action} onSubmit={save} onCancel={onCancel}>
      <p class="before-fields">Invoices need these details. Changes apply to future invoices.</p>
      <Fields form={form} />
      <SignInHint />
    </Form>
  );
}

function Fields({ form }: { readonly form: FormState<Input> }) {
  const { name, address, tax_number, email } = form.values.value;
  return (
    <>
      <TextField
        name="name"
        label="Registered name"
        autocomplete="organization"
        value={name}
        error={form.errorOf('name')}
        onInput={(value) => form.set('name', value)}
      />
      <TextField
        name="address"
        label="Address"
        hint="At most 5 lines."
        rows={4}
        autocomplete="street-address"
        value={address}
        error={form.errorOf('address')}
        onInput={(value) => form.set('address', value)}
      />
      <TextField
        name="tax_number"
        label="Tax number"
        hint="The organisation’s tax number (TIN)."
        isCode
        value={tax_number}
        error={form.errorOf('tax_number')}
        onInput={(value) => form.set('tax_number', value)}
      />
      <TextField
        name="email"
        type="email"
        label="Email address"
        hint="Shown on invoices, and on receipts from Paystack."
        autocomplete="email"
        value={email}
        error={form.errorOf('email')}
        onInput={(value) => form.set('email', value)}
      />
    </>
  );
}
