import { useEffect } from 'preact/hooks';
import type { Environment } from '../../../../shared/core/environment.ts';
import type { StartTopUpBody } from '../../../../shared/payments/console/bodies.ts';
import type { BillingFields, PriceView, TopUpView } from '../../../../shared/payments/console/views.ts';
import { type Amounts, priceOf } from '../../../../shared/payments/naira.ts';
import { send } from '../api.ts';
import { Button } from '../components/button.tsx';
import { TextField } from '../components/field.tsx';
import { Form } from '../components/form.tsx';
import { useForm } from '../form.ts';
import { formatNumber } from '../format.ts';
import { formatNaira } from '../naira.ts';
import { FORMS } from '../wallet/opened-dialog.ts';
import { wholeNumberOf } from './whole-number.ts';

interface TopUpFormProps {
  readonly env: Environment;
  readonly price: PriceView;
  readonly billing: BillingFields;
  /** Called when the browser returns from Paystack and shows the page from its cache. */
  readonly onReturn: () => void;
  readonly onCancel: () => void;
}

const NAIRA = /₦|NGN|naira|^\s*N\s*\d/iu;
const NOT_NAIRA = 'Enter credits, not naira: a number without ₦, such as 1,000.';

const QUICK_CHOICES = [500, 1_000, 2_000, 5_000, 10_000, 50_000];

export function TopUpForm({ env, price, billing, onReturn, onCancel }: TopUpFormProps) {
  const { least_credits: least, most_credits: most, kobo_per_credit, vat_basis_points } = price;
  const choices = QUICK_CHOICES.filter((count) => count >= least && count <= most);
  const form = useForm(FORMS['top-up'], inputOf(String(choices[1] ?? least)));
  const naira = NAIRA.test(form.values.value.credits) ? NOT_NAIRA : undefined;
  const entered = naira ? undefined : wholeNumberOf(form.values.value.credits);
  const credits = entered !== undefined && entered >= least && entered <= most ? entered : undefined;
  const amounts = credits === undefined ? undefined : priceOf(credits, kobo_per_credit, vat_basis_points);
  const range = `A whole number of credits, from ${formatNumber(least)} to ${formatNumber(most)}.`;
  useReturn(onReturn);
  const set = (text: string) => {
    form.values.value = inputOf(text);
  };
  const pay = async () => {
    if (credits === undefined) return form.reject('credits', naira ?? range);
    const body: StartTopUpBody = { env, credits, form_id: form.values.value.form_id };
    const result = await form.submit(() => send<TopUpView>('POST', '/wallet/top-ups', body));
    if (!result?.ok) return;
    // The button stays busy until the browser leaves the page.
    form.isSending.value = true;
    const { checkout_url, reference } = result.data;
    location.assign(checkout_url ?? `/wallet?env=${env}&top_up=${reference}`);
  };
  return (
    <Form
      form={form}
      action={amounts ? `Pay ${formatNaira(amounts.totalKobo)}` : 'Pay'}
      onSubmit={pay}
      onCancel={onCancel}
    >
      <TextField
        name="credits"
        label="Credits"
        hint={range}
        isNumber
        value={form.values.value.credits}
        error={form.errorOf('credits') ?? naira}
        onInput={set}
      />
      <QuickChoices choices={choices} onChoose={(count) => set(String(count))} />
      <Sums price={price} amounts={amounts} buyer={billing.name} />
      <p class="hint">You pay on Paystack’s page, by card or bank transfer, and then return here.</p>
      {env === 'test' && <p class="hint">Test: no money moves, and the invoice is not a tax document.</p>}
    </Form>
  );
}

/**
 * Returns the input for a number of credits, with a new ID. A form that is sent several times with the same ID opens
 * only one order.
 */
function inputOf(credits: string) {
  return { credits, form_id: crypto.randomUUID() };
}

/** Calls a function if the browser shows the page again from its cache. */
function useReturn(onReturn: () => void): void {
  useEffect(() => {
    const shown = ({ persisted }: PageTransitionEvent) => persisted && onReturn();
    addEventListener('pageshow', shown);
    return () => removeEventListener('pageshow', shown);
  }, []);
}

interface QuickChoicesProps {
  readonly choices: readonly number[];
  readonly onChoose: (count: number) => void;
}

function QuickChoices({ choices, onChoose }: QuickChoicesProps) {
  return (
    <fieldset class="field">
      <legend class="hidden">Common amounts</legend>
      <div class="choices">
        {choices.map((count) => (
          <Button key={count} onClick={() => onChoose(count)}>
            {`${formatNumber(count)} credits`}
          </Button>
        ))}
      </div>
    </fieldset>
  );
}

interface SumsProps {
  readonly price: PriceView;
  /** Undefined if this number of credits cannot be bought. */
  readonly amounts: Amounts | undefined;
  readonly buyer: string;
}

function Sums({ price: { kobo_per_credit, vat_basis_points }, amounts, buyer }: SumsProps) {
  return (
    <dl class="sums">
      <Sum name="Price per credit" kobo={kobo_per_credit} />
      <Sum name="Net" kobo={amounts?.netKobo} />
      <Sum name={`VAT (${String(vat_basis_points / 100)}%)`} kobo={amounts?.vatKobo} />
      <Sum name="Total" kobo={amounts?.totalKobo} />
      <div>
        <dt>Invoice to</dt>
        <dd>{buyer}</dd>
      </div>
    </dl>
  );
}

function Sum({ name, kobo }: { readonly name: string; readonly kobo: number | undefined }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{kobo === undefined ? '–' : formatNaira(kobo)}</dd>
    </div>
  );
}
