import type { ChangeAutomaticTopUpBody } from '../../../../shared/payments/console/bodies.ts';
import type { AutomaticTopUpView, TopUpView, WalletView } from '../../../../shared/payments/console/views.ts';
import { priceOf } from '../../../../shared/payments/naira.ts';
import { type FieldProblem, send } from '../api.ts';
import { Button } from '../components/button.tsx';
import { ConfirmDialog } from '../components/confirm-dialog.tsx';
import { Checkbox, SelectField, TextField } from '../components/field.tsx';
import { Form } from '../components/form.tsx';
import { SignInHint } from '../components/sign-in-hint.tsx';
import { type Form as FormState, useForm } from '../form.ts';
import { formatDay, formatNumber } from '../format.ts';
import { formatNaira } from '../naira.ts';
import { sharedTexts } from '../shared-texts.ts';
import { FORMS } from '../wallet/opened-dialog.ts';
import { nairaOf, wholeNumberOf } from './whole-number.ts';

interface AutomaticFormProps {
  readonly wallet: WalletView;
  readonly onTopUp: (() => void) | undefined;
  readonly onSaved: (automatic: AutomaticTopUpView) => void;
  readonly onCancel: () => void;
}

interface Input {
  readonly below: string;
  readonly credits: string;
  readonly limit: string;
  readonly card: string;
  readonly agrees: boolean;
}

/** Keeps the saved card. */
const SAVED = '';

export function AutomaticForm({ wallet, onTopUp, onSaved, onCancel }: AutomaticFormProps) {
  const { automatic, alert, price } = wallet;
  const cards = cardsOf(wallet);
  const least = price ? Math.max(price.least_credits, alert.below) : alert.below;
  const form = useForm<Input>(FORMS.automatic, {
    below: String(automatic?.below ?? alert.below),
    credits: String(automatic?.credits ?? least),
    limit: automatic ? String(Math.floor(automatic.monthly_limit_kobo / 100)) : '',
    card: cards[0]?.value ?? SAVED,
    agrees: false,
  });
  const save = async () => {
    const [first, ...others] = problemsOf(form.values.value);
    if (first) return form.reject(first.field, first.message, others);
    const body: ChangeAutomaticTopUpBody = { settings: settingsOf(form.values.value) };
    const result = await form.submit(() => send<AutomaticTopUpView>('PUT', '/wallet/automatic-top-up', body));
    if (result?.ok) onSaved(result.data);
  };
  if (cards.length === 0) return <NoCard onTopUp={onTopUp} onCancel={onCancel} />;
  return (
    <Form form={form} action="Save" onSubmit={save} onCancel={onCancel}>
      <Amounts form={form} price={price} />
      <SelectField
        name="settings.card_order"
        label="Card"
        hint="The card with which you paid a top-up. We do not store its number."
        value={form.values.value.card}
        choices={cards}
        error={form.errorOf('settings.card_order')}
        onChange={(card) => form.set('card', card)}
      />
      <Checkbox
        name="settings.agrees"
        label="My organisation agrees that this card is saved and charged within these limits, until a member removes it."
        isChecked={form.values.value.agrees}
        error={form.errorOf('settings.agrees')}
        onChange={(agrees) => form.set('agrees', agrees)}
      />
      <SignInHint />
    </Form>
  );
}

function NoCard({ onTopUp, onCancel }: Pick<AutomaticFormProps, 'onTopUp' | 'onCancel'>) {
  return (
    <>
      <p>No card can be saved yet, because no top-up has been paid by card.</p>
      {onTopUp && (
        <p>
          Pay for one top-up by card on Paystack’s page. When you are back here, choose “Set up automatic
          top-up”, and finish with that card. Until then, nothing is charged automatically.
        </p>
      )}
      <div class="buttons">
        {onTopUp && (
          <Button kind="primary" onClick={onTopUp}>
            Top up by card
          </Button>
        )}
        <Button onClick={onCancel}>{sharedTexts.cancel}</Button>
      </div>
    </>
  );
}

function problemsOf({ below, credits, limit }: Input): FieldProblem[] {
  const inCredits = 'credits, not an amount in naira';
  const fields: [field: string, count: number | undefined, unit: string][] = [
    ['settings.below', wholeNumberOf(below), inCredits],
    ['settings.credits', wholeNumberOf(credits), inCredits],
    ['settings.monthly_limit_kobo', nairaOf(limit), 'naira, such as ₦200,000'],
  ];
  return fields
    .filter(([, count]) => !count)
    .map(([field, , unit]) => ({ field, message: `Enter a whole number of ${unit}.` }));
}

function settingsOf({ below, credits, limit, card, agrees }: Input): ChangeAutomaticTopUpBody['settings'] {
  return {
    below: wholeNumberOf(below) ?? 0,
    credits: wholeNumberOf(credits) ?? 0,
    monthly_limit_kobo: (nairaOf(limit) ?? 0) * 100,
    card_order: card === SAVED ? null : card,
    agrees,
  };
}

function Amounts({ form, price }: { readonly form: FormState<Input> } & Pick<WalletView, 'price'>) {
  const { below, credits, limit } = form.values.value;
  const count = wholeNumberOf(credits);
  const isPriced = price !== null && count !== undefined && count > 0 && count <= price.most_credits;
  const totalKobo = isPriced
    ? priceOf(count, price.kobo_per_credit, price.vat_basis_points).totalKobo
    : undefined;
  const total = totalKobo ? ` Today: ${formatNaira(totalKobo)}, with VAT.` : '';
  const naira = nairaOf(limit);
  const most = totalKobo && naira ? Math.floor((naira * 100) / totalKobo) : undefined;
  const purchases = most === undefined ? '' : ` At today’s price: ${purchasesText(most)}.`;
  return (
    <>
      <TextField
        name="settings.below"
        label="When fewer credits are left than"
        hint="Live credits. If fewer are left already, the card is charged within minutes."
        isNumber
        value={below}
        error={form.errorOf('settings.below')}
        onInput={(value) => form.set('below', value)}
      />
      <TextField
        name="settings.credits"
        label="Buy"
        hint={`In credits.${total}`}
        isNumber
        value={credits}
        error={form.errorOf('settings.credits')}
        onInput={(value) => form.set('credits', value)}
      />
      <TextField
        name="settings.monthly_limit_kobo"
        label="At most, each month"
        hint={`In naira, with VAT.${purchases}`}
        isNumber
        value={limit}
        error={form.errorOf('settings.monthly_limit_kobo')}
        onInput={(value) => form.set('limit', value)}
      />
    </>
  );
}

const purchasesText = (count: number) =>
  count === 0 ? 'less than one purchase' : `${formatNumber(count)} ${count === 1 ? 'purchase' : 'purchases'}`;

/** The saved card, and those of the latest credited top-ups that members opened. A recorded bank transfer has none. */
function cardsOf({ automatic, top_ups }: WalletView) {
  const saved = automatic?.card_order;
  const paid = top_ups.filter(
    ({ state, method, reference, is_by_member }) =>
      is_by_member && state === 'CREDITED' && method === 'PAYSTACK' && reference !== saved,
  );
  return [
    ...(saved ? [{ value: SAVED, label: savedLabel(automatic) }] : []),
    ...paid.map((topUp) => ({ value: topUp.reference, label: labelOf(topUp) })),
  ];
}

const savedLabel = ({ card }: AutomaticTopUpView) =>
  card?.last_four ? `The saved card, …${card.last_four}` : 'The saved card';

/** As the card's statement says. On a phone, about 30 characters fit. */
function labelOf({ credited_at, opened_at, total_kobo }: TopUpView): string {
  return `${formatDay(credited_at ?? opened_at)}: ${formatNaira(total_kobo)}`;
}

interface EndAutomaticDialogProps {
  readonly opened: 'switch-off' | 'remove-card';
  readonly onSaved: (automatic: AutomaticTopUpView) => void;
  readonly onClose: () => void;
}

export function EndAutomaticDialog({ opened, onSaved, onClose }: EndAutomaticDialogProps) {
  const keepsCard = opened === 'switch-off';
  const body: ChangeAutomaticTopUpBody = { settings: null, keeps_card: keepsCard };
  return (
    <ConfirmDialog
      title={keepsCard ? 'Switch off automatic top-up' : 'Remove the saved card'}
      action={keepsCard ? 'Switch off' : 'Remove the card'}
      needsRecentSignIn
      name={FORMS[opened]}
      subject={{}}
      run={() => send<AutomaticTopUpView>('PUT', '/wallet/automatic-top-up', body)}
      onDone={onSaved}
      onClose={onClose}
    >
      <p>Automatic top-up ends. A charge that has begun is still completed.</p>
      {keepsCard ? (
        <p>The card stays saved, so that you can switch it on again.</p>
      ) : (
        <>
          <p>
            We delete the code with which the card is charged, its bank, brand, expiry and last four digits.
          </p>
          <p>
            Paystack still knows the cards of your payments. An owner or a finance member can therefore save
            this card again, if they choose a top-up that it paid, and agree again.
          </p>
        </>
      )}
    </ConfirmDialog>
  );
}
