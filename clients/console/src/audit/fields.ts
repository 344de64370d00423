import { ALERT_NAMES } from '../../../../shared/alerts/alert-names.ts';
import { formatNumber, formatTime } from '../format.ts';
import { formatNaira } from '../naira.ts';
import { roleNames } from '../shared-texts.ts';

/** The labels of the fields that entries state. Fields of other names are shown as they are. */
const LABELS: Readonly<Record<string, string>> = {
  address: 'Address',
  addressRanges: 'IP addresses',
  amount: 'Credits',
  billingContact: 'Contact for billing',
  bookedAs: 'Recorded as',
  bookedAt: 'Recorded',
  burst: 'Requests at once',
  bvnBasis: 'Basis for BVN data',
  cardOrder: 'Top-up whose card is saved',
  cause: 'Cause',
  changed: 'Changed (values not recorded)',
  checkoutUrl: 'Payment page',
  companyCheck: 'Look-up of the company number',
  companyNumber: 'Company number',
  createdAt: 'Created',
  createdBy: 'Created by',
  credits: 'Credits',
  doneAt: 'Done',
  effectiveAt: 'Takes effect',
  email: 'Email address',
  enabled: 'Enabled',
  env: 'Environment',
  erased: 'Erased',
  event: 'Event',
  events: 'Events',
  formerLabels: 'Earlier labels',
  host: 'Host',
  id: 'ID',
  invitation: 'Invitation',
  invitedBy: 'Invited by',
  isWithdrawn: 'Withdrawn',
  kind: 'Kind',
  koboPerCredit: 'Price of a credit',
  label: 'Label',
  lastFour: 'Last four characters',
  lot: 'Lot of credits',
  lowBalanceCredits: 'Alert below (credits)',
  method: 'Method',
  mismatchedAt: 'Noticed',
  month: 'Month',
  monthlyCapKobo: 'Monthly limit',
  name: 'Name',
  notAfter: 'Works until',
  openedAt: 'Started',
  owner: 'Owner',
  path: 'Path of the address',
  paidBackBy: 'Paid back by',
  paidBackKobo: 'Paid back',
  payment: 'Payment',
  perSecond: 'Requests a second',
  prices: 'Prices of services',
  privacyContact: 'Contact for data protection',
  problem: 'Problem',
  rateLimit: 'Request limit',
  reason: 'Reason',
  replacedAt: 'Rotated',
  replaces: 'Replaces',
  resolution: 'Decision',
  resolvedAt: 'Decided',
  returnPage: 'Page after the payment',
  reversedAt: 'Reversed',
  role: 'Role',
  scopes: 'Permissions',
  secret_version: 'Version of the secret',
  services: 'Services',
  signedOutAt: 'Signed out',
  state: 'State',
  statement: 'Statement',
  status: 'Status',
  stopReason: 'Why it stopped',
  submittedAt: 'Submitted',
  suspendedBecause: 'Reason for the suspension',
  taxCheck: 'Look-up of the tax number',
  taxNumber: 'Tax number',
  terms: 'Version of the terms',
  thresholdCredits: 'When fewer credits are left than',
  totalKobo: 'Total, with VAT',
  walletShards: 'Capacity of the wallet',
};

const MAILS = new Map<string, string>(Object.entries(ALERT_NAMES));

/** Returns the label of a field. Only a member's choice of emails has a yes or no for the name of a kind of alert. */
export function labelOf(field: string, value?: unknown): string {
  const mails = typeof value === 'boolean' && MAILS.get(field);
  return mails ? `Emails: ${mails}` : (LABELS[field] ?? field);
}

const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
/** The fields whose values are names in capitals, such as `NOT_FOUND`. */
const CODED = ['state', 'status', 'kind', 'method', 'stopReason', 'companyCheck', 'taxCheck'];

/** Returns a value in words, with its unit. */
export function valueText(field: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return /kobo/i.test(field) ? formatNaira(value) : formatNumber(value);
  if (Array.isArray(value)) return value.map((one) => valueText(field, one)).join(', ') || 'none';
  if (typeof value === 'object') return Object.entries(value).map(entryText).join(', ') || 'none';
  const text = String(value);
  if (TIME.test(text)) return formatTime(text);
  if (field === 'role') return new Map<string, string>(Object.entries(roleNames)).get(text) ?? text;
  if (field === 'changed') return labelOf(text);
  return CODED.includes(field) ? sentence(text) : text;
}

/** An enabled service is an empty object. */
const entryText = ([name, value]: [string, unknown]) =>
  JSON.stringify(value) === '{}' ? name : `${labelOf(name)}: ${valueText(name, value)}`;

const sentence = (code: string) =>
  `${code.slice(0, 1).toUpperCase()}${code.slice(1).toLowerCase().replaceAll('_', ' ')}`;
