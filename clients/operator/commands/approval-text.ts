import type { OpenRequest } from '../../../shared/operators/operations/approvals.ts';
import { type OrderOf, targetOf } from '../../../shared/operators/operations/approved-order.ts';
import type { Operator } from '../../../shared/operators/operator.ts';
import { naira } from '../money-arguments.ts';
import { counted, table, time } from '../output.ts';
import { currentPricesText } from './organisations.ts';
import { priceQuestion } from './prices.ts';

/** Formats requests for a second person, and the question that the approver must answer. */

/** A request with the name of its organisation, so that the approver sees whose wallet or log changes. */
interface NamedRequest extends OpenRequest {
  /** Empty if the request concerns the whole stage. */
  readonly organisationName: string;
}

export async function withNames(
  requests: readonly OpenRequest[],
  { getOrganisation }: Operator,
): Promise<NamedRequest[]> {
  const ids = [...new Set(requests.flatMap(({ organisationId }) => organisationId ?? []))];
  const organisations = await Promise.all(ids.map(getOrganisation));
  const names = new Map(organisations.map(({ id, name }) => [id, name]));
  return requests.map((request) => ({
    ...request,
    organisationName: names.get(request.organisationId ?? '') ?? '',
  }));
}

const KINDS = { TOP_UP: 'top-up', CORRECTION: 'correction' } as const;

export function requestsText(requests: readonly NamedRequest[]): string {
  const head = ['ID', 'REQUESTED BY', 'ORG', 'NAME', 'ENV', 'KIND', 'CREDITS', 'ON', 'EXPIRES', 'REASON'];
  const lines = requests.map(({ order, ...request }) => [
    request.id,
    request.requestedBy,
    request.organisationId ?? '',
    request.organisationName,
    request.env ?? '',
    order.work === 'credit' ? KINDS[order.kind] : order.work,
    creditsOf(order),
    targetOf(order),
    time(new Date(request.expiresAtMs).toISOString()),
    'reason' in order ? order.reason : '',
  ]);
  return table(head, lines);
}

function creditsOf(order: OpenRequest['order']): number | string {
  if (order.work === 'credit-note') return -order.credits;
  return order.work === 'credit' ? order.amount : '';
}

/** Returns a request as JSON output shows it: without number tags. */
export function requestView({ order, expiresAtMs, ...request }: NamedRequest) {
  const what = order.work === 'erasure' ? { work: order.work, idType: order.idType } : order;
  return { ...request, expiresAt: new Date(expiresAtMs).toISOString(), order: what };
}

/**
 * Returns what the approver must confirm. The reason comes last, so that its text cannot look like one of the facts.
 */
export async function questionOf(request: OpenRequest, operator: Operator): Promise<string> {
  const { order, requestedBy, organisationId, env } = request;
  const name = organisationId === undefined ? '' : (await operator.getOrganisation(organisationId)).name;
  const organisation = `${name} (${organisationId})`;
  const asked = `as ${requestedBy} requested`;
  switch (order.work) {
    case 'erasure':
      return `Erase the log rows about one ${order.idType} from the ${env} log of ${organisation}, ${asked}?`;
    case 'credit':
      return creditQuestion(order, `${env}`, organisation, asked);
    case 'price': {
      const what = await priceQuestion({ ...order, organisationId, from: order.from }, operator);
      return `${what}, ${asked}? Reason: ${order.reason}`;
    }
    case 'service-price': {
      const row = await operator.getOrganisation(organisationId ?? '');
      return `Set the price of ${order.service} to ${counted(order.credits, 'credit')} (now ${currentPricesText(row, order.service)}) for ${organisation}, ${asked}?`;
    }
    case 'reopen':
      return `Reopen ${order.month} of the ${env} wallet of ${organisation}, ${asked}? Reason: ${order.reason}`;
    case 'credit-note': {
      const paid = order.isPaidBack ? ' The customer already has the money.' : '';
      const credits = counted(order.credits, `${env} credit`);
      return `Take back ${credits} on the invoice ${order.invoice} from ${organisation} with a credit note of ${naira(order.totalKobo)}, ${asked}?${paid} Reason: ${order.reason}`;
    }
    case 'reversal':
      return `Book ${naira(order.totalKobo)} of the reversed payment of the ${env} order ${order.reference} of ${organisation} as a ${order.as}, ${asked}? Reason: ${order.reason}`;
    case 'key':
      return `Create the live key "${order.label}" for ${organisation}${limitsText(order)}, ${asked}? It is shown to you, once.`;
    case 'key-rotation':
      return `Replace the live key "${order.label}" of ${organisation}, ${asked}? The old key works for ${counted(order.graceSeconds, 'second')} more. The new key is shown to you, once.`;
    case 'key-update':
      return `Change the live key "${order.label}" of ${organisation}: ${keyChangeText(order.change)}, ${asked}?`;
    case 'invitation':
      return `Invite ${order.email} to ${organisation} as ${order.role}, ${asked}?`;
    case 'removal': {
      const { email } = await operator.findMember(organisationId ?? '', order.personId);
      return `Remove the owner ${email} from ${organisation}, ${asked}?`;
    }
  }
}

function keyChangeText({ label, scopes, addressRanges }: OrderOf<'key-update'>['change']): string {
  return [
    ...(label === undefined ? [] : [`label "${label}"`]),
    ...(scopes === undefined ? [] : [`scopes ${scopes?.join(' ') ?? 'all except payments'}`]),
    ...(addressRanges === undefined ? [] : [`from ${addressRanges?.join(' ') ?? 'anywhere'}`]),
  ].join(', ');
}

function limitsText({ notAfter, scopes = [], addressRanges = [] }: OrderOf<'key'>): string {
  const limits = [...scopes, ...addressRanges].join(' ');
  return `${notAfter ? `, valid until ${time(notAfter)}` : ', valid for ever'}${limits && `, limited to ${limits}`}`;
}

function creditQuestion(order: OrderOf<'credit'>, env: string, organisation: string, asked: string): string {
  const { amount, reference, effectiveAt, reason, totalKobo, bankReference, expiresAt } = order;
  const credits = counted(Math.abs(amount), `${env} credit`);
  const change = amount < 0 ? `Remove ${credits} from` : `Add ${credits} to`;
  const transfer = bankReference === undefined ? '' : ` (bank reference ${bankReference})`;
  const money = totalKobo === undefined ? '' : `, paid with ${naira(totalKobo)}${transfer}`;
  return [
    `${change} ${organisation} with the reference ${reference}${money}, ${asked}?`,
    ...(effectiveAt ? [`Effective at ${time(effectiveAt)}.`] : []),
    ...(expiresAt ? [`The credits expire at ${time(expiresAt)}.`] : []),
    ...(reason ? [`Reason: ${reason}`] : []),
  ].join(' ');
}
