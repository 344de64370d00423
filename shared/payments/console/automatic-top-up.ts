import { isDeepStrictEqual } from 'node:util';
import { isAdmitted } from '../../accounts/organisation.ts';
import type { Recorder } from '../../audit/recorder.ts';
import { setting } from '../../core/config.ts';
import { database } from '../../core/database.ts';
import { invalidSchema, ServiceError } from '../../core/errors.ts';
import { errorFields, logger } from '../../core/logger.ts';
import { type Secret, secret } from '../../core/secrets.ts';
import type { SendMail } from '../../members/mail.ts';
import { memberActor, personOfActor } from '../../members/member-actor.ts';
import type { MemberReads } from '../../members/member-names.ts';
import { memberTable } from '../../members/member-table.ts';
import type { ConsoleRun } from '../../members/middleware/console-route.ts';
import type { ConsoleRequest } from '../../members/middleware/member-request.ts';
import { notifyOwners } from '../../members/middleware/notify-owners.ts';
import { type AutomaticTable, automaticTable } from '../automatic/automatic-table.ts';
import { type AutomaticTopUp, switchedOff, withoutCard } from '../automatic/automatic-top-up.ts';
import { sealCard } from '../automatic/seal-card.ts';
import { openDependencies, type QuoteDependencies } from '../dependencies.ts';
import { nairaText } from '../naira.ts';
import { ORDER_REFERENCE } from '../orders/order-reference.ts';
import type { OrderTable } from '../orders/order-table.ts';
import { quoteTopUp } from '../orders/quote-top-up.ts';
import type { FoundCard, PaymentProvider } from '../paystack/payment-provider.ts';
import type { ChangeAutomaticTopUpBody, changeAutomaticTopUpBody } from './bodies.ts';
import { NOT_APPROVED, NOT_SET_UP, notSold } from './top-ups.ts';
import type { AutomaticTopUpView } from './views.ts';
import { automaticView } from './wallet-view.ts';

interface SetUpDependencies extends QuoteDependencies {
  readonly orders: Pick<OrderTable, 'getOrder'>;
  readonly providers: { readonly live: Pick<PaymentProvider, 'findCard'> };
}

interface ChangeDependencies {
  readonly automatic: (recorder: Recorder) => Pick<AutomaticTable, 'getAutomatic' | 'saveAutomatic'>;
  /** Undefined without money settings. */
  readonly setUp: SetUpDependencies | undefined;
  /** The card keys. */
  readonly keys: () => Promise<Secret>;
  readonly members: MemberReads;
}

type Settings = NonNullable<ChangeAutomaticTopUpBody['settings']>;

export function automaticDependencies(): ChangeDependencies {
  const [client, payments] = [database(), setting('PAYMENTS_TABLE')];
  return {
    automatic: (recorder) => automaticTable(client, payments, recorder),
    setUp: openDependencies(),
    keys: () => secret('CARDS'),
    members: memberTable(client, setting('CONSOLE_TABLE')),
  };
}

/** PUT /wallet/automatic-top-up, of the live wallet. Tells the owners. A card can always be removed. */
export function changeAutomaticTopUp(
  deps: ChangeDependencies,
  sendMail: SendMail,
): ConsoleRun<ConsoleRequest, typeof changeAutomaticTopUpBody, undefined> {
  return async (request, { settings, keeps_card: keepsCard }) => {
    const { organisation, recorder, nowMs, countMail } = request;
    const table = deps.automatic(recorder);
    const before = await table.getAutomatic(organisation.id);
    const kept = settings
      ? await withSettings(request, before, settings, deps)
      : before && (keepsCard ? switchedOff : withoutCard)(before);
    if (!kept) throw new ServiceError('RESOURCE_NOT_FOUND');
    if (before && isDeepStrictEqual(kept, before))
      return { data: automaticView(before, nowMs) satisfies AutomaticTopUpView };
    if (settings) await countMail('notice');
    const after = {
      ...kept,
      changedAt: new Date(nowMs).toISOString(),
      changedBy: memberActor(request.person.id),
    };
    if (!(await table.saveAutomatic(before, after))) throw new ServiceError('CHANGED_MEANWHILE');
    const ended = keepsCard ? 'switched off' : 'switched off, and the card was removed';
    const change = settings ? (before?.sealedCard ? 'changed' : 'set up') : ended;
    const what = `automatic top-up by a saved card was ${change}`;
    await notifyOwners(request, organisation.id, what, { members: deps.members, sendMail });
    return { data: automaticView(after, nowMs) satisfies AutomaticTopUpView };
  };
}

/** Keeps the charge in progress and what was charged this month. */
async function withSettings(
  { organisation }: ConsoleRequest,
  before: AutomaticTopUp | undefined,
  settings: Settings,
  { setUp, keys }: ChangeDependencies,
): Promise<Omit<AutomaticTopUp, 'changedAt' | 'changedBy'>> {
  if (organisation.status === 'SUSPENDED') throw new ServiceError('ORGANISATION_SUSPENDED');
  if (!isAdmitted(organisation.status, 'live'))
    throw new ServiceError('UNAPPROVED_ORGANIZATION', { message: NOT_APPROVED });
  if (!setUp) throw new ServiceError('SERVICE_UNAVAILABLE', { message: NOT_SET_UP });
  const { below, credits, monthly_limit_kobo: monthlyCapKobo, card_order: cardOrder } = settings;
  const quote = await quoteTopUp(organisation.id, credits, setUp);
  if (quote.kind !== 'quoted') throw notSold(quote, 'settings.credits');
  if (credits < below) throw wrong('credits', 'Enter at least as many credits as the threshold.');
  const { totalKobo } = quote.price;
  if (monthlyCapKobo < totalKobo)
    throw wrong('monthly_limit_kobo', `Enter at least the price of one top-up: ₦${nairaText(totalKobo)}.`);
  const {
    stopReason: _,
    limitMonth: __,
    ...rest
  } = before ?? { organisationId: organisation.id, version: 0 };
  const values = { ...rest, state: 'ON', thresholdCredits: below, credits, monthlyCapKobo } as const;
  if (cardOrder === null) {
    if (before?.sealedCard === undefined) throw wrong('card_order', 'Choose a payment by card.');
    return values;
  }
  const { details: cardDetails, ...card } = await cardOf(organisation.id, cardOrder, setUp);
  return { ...values, cardOrder, cardDetails, sealedCard: sealCard(card, organisation.id, await keys()) };
}

/** Of a credited live top-up that a member opened: anyone may have paid at the checkout of one that a key opened. */
async function cardOf(
  organisationId: string,
  reference: string,
  { orders, providers }: SetUpDependencies,
): Promise<FoundCard> {
  const order = ORDER_REFERENCE.test(reference) ? await orders.getOrder('live', reference) : undefined;
  const isPaid =
    order?.organisationId === organisationId && order.state === 'CREDITED' && order.method === 'PAYSTACK';
  if (isPaid && !personOfActor(order.openedBy))
    throw wrong('card_order', 'Choose a payment that was started in the console, not by an API key.');
  const card = isPaid ? await providers.live.findCard(reference).catch(notSaved) : undefined;
  if (!card)
    throw wrong('card_order', 'Choose a payment that was made with a card which can be charged again.');
  return card;
}

function notSaved(error: unknown): never {
  logger.warn('Paystack returned no card.', errorFields(error));
  const message = 'Paystack does not respond, so the card was not saved. Try again in a minute.';
  throw new ServiceError('SERVICE_UNAVAILABLE', { message, cause: error });
}

function wrong(name: keyof Settings, hint: string): ServiceError {
  const field = `settings.${name}`;
  return invalidSchema('wrong_value', field, `The field ${field} is not valid.`, hint);
}
