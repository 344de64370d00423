import type { DocumentedRoute } from './route-codes.ts';

/** The ID, summary and description of each operation. */

export type Tag = 'Verification' | 'Slips' | 'Account' | 'Payments' | 'Service';

interface OperationText {
  /** The name of the method in generated clients. */
  readonly id: string;
  readonly tag: Tag;
  readonly summary: string;
  readonly description: string;
}

function dedicated(id: string, summary: string, contents: string): OperationText {
  return {
    id,
    tag: 'Verification',
    summary,
    description: `${contents} Charged only if the record is found.`,
  };
}

export const OPERATIONS: Readonly<Record<DocumentedRoute, OperationText>> = {
  'nin-basic': dedicated(
    'verifyNinBasic',
    'Verify a NIN (Basic)',
    'Returns names, date of birth, gender, phone, residence and photo.',
  ),
  'nin-premium': dedicated(
    'verifyNinPremium',
    'Verify a NIN (Premium)',
    'Returns the complete registry profile. Next of kin is masked.',
  ),
  'nin-slip': {
    id: 'downloadNinSlip',
    tag: 'Slips',
    summary: 'Download the slip of a verified NIN',
    description:
      'Returns a PDF. Your organisation must have verified the NIN before, with a key of the same environment. Because no identity data is stored, the service looks up the NIN again and charges the download as a separate request. With `match`, the slip says "Details confirmed" if the details that you send match the record (`exact` or `strong`). Otherwise, it does not mention them.',
  },
  'revoke-slip': {
    id: 'revokeSlip',
    tag: 'Slips',
    summary: 'Withdraw a slip',
    description:
      'From now on, the page that the QR code of the slip opens says that it was withdrawn. `request_id` is the `meta.request_id` of the download, which is also printed on the slip. Only slips of your organisation can be withdrawn, with a key of the same environment. Repeating the request is harmless. A slip can be withdrawn a moment after its download. The erasure of a person by the operator withdraws their slips too. Free.',
  },
  'bvn-basic': dedicated(
    'verifyBvnBasic',
    'Verify a BVN (Basic)',
    'Returns names, date of birth, gender, phone and photo.',
  ),
  'bvn-premium': dedicated('verifyBvnPremium', 'Verify a BVN (Premium)', 'Returns the complete BVN profile.'),
  'cac-basic': dedicated(
    'verifyCacBasic',
    'Verify a CAC registration (Basic)',
    'Returns the registration of a company, business name, incorporated trustees or partnership, with status, addresses and directors.',
  ),
  'cac-premium': dedicated(
    'verifyCacPremium',
    'Verify a CAC registration (Premium)',
    'Returns everything in Basic, plus affiliates: shareholders and persons with significant control, with their percentages, and proprietors, trustees and partners.',
  ),
  'tin-basic': dedicated(
    'verifyTin',
    'Verify a TIN',
    'Returns the taxpayer registered under the number. `tin_format` says which of the three tax numbers it is.',
  ),
  'nuban-basic': dedicated(
    'verifyNuban',
    'Verify a bank account number (NUBAN)',
    'Returns the account holder and the bank. `GET /banks` lists the values of `bank_code`. Unless the operator allows live requests without it, they are rejected with the reason `bank_code_required`; `error.hint` names the banks whose check digit fits. The sandbox finds the bank itself. If the check digit does not match the bank, `message` contains a warning; the look-up runs anyway.',
  ),
  'verify-identity': {
    id: 'verifyIdentity',
    tag: 'Verification',
    summary: 'Verify a number of any type (unified gateway)',
    description:
      'One request format for all ID types. Some errors differ from those of the dedicated routes: for example, the gateway returns 404 `RECORD_NOT_FOUND` for a number that is not found, and 503 `SERVICE_UNAVAILABLE` if the registry does not respond in time. Charged only if the record is found.',
  },
  me: {
    id: 'getMe',
    tag: 'Account',
    summary: 'Check an API key',
    description:
      'Returns the organisation, environment, scopes and limits of the key, and what it may look up. Any API key can do this, also one that is limited to `match_only`. Free.',
  },
  banks: {
    id: 'listBanks',
    tag: 'Verification',
    summary: 'List banks and their codes',
    description:
      'Returns the banks whose accounts can be verified, with the codes that `bank_code` accepts: the code of the Central Bank (`cbn_code`), the code of the NIP switch (`nip_code`) and the codes of providers. A code is empty if no source publishes it. Any API key can read the list. Clients may cache the response for an hour and then revalidate it with `If-None-Match`. Free.',
  },
  'wallet-balance': {
    id: 'getBalance',
    tag: 'Account',
    summary: 'Get the wallet balance',
    description: "Returns the balance of the wallet in the key's environment, live or test. Free.",
  },
  'wallet-transactions': {
    id: 'listTransactions',
    tag: 'Account',
    summary: 'List wallet transactions',
    description:
      'Returns credits and debits, oldest first, with the running balance. Without `from`, the list starts at the beginning of the month of `to`. Free.',
  },
  'wallet-lots': {
    id: 'listLots',
    tag: 'Payments',
    summary: 'List credit lots',
    description:
      'Returns the lots of the wallet, oldest first: credits that were added together, with their price. `remaining` of one lot is an estimate until the month is closed; the sum over all lots is the balance of the wallet. Free.',
  },
  'wallet-invoices': {
    id: 'listInvoices',
    tag: 'Payments',
    summary: 'List invoices and other documents',
    description: 'Returns invoices, receipts, credit notes and monthly statements, newest first. Free.',
  },
  'wallet-invoice': {
    id: 'getInvoice',
    tag: 'Payments',
    summary: 'Get an invoice or another document',
    description:
      'Returns one document: as a PDF with `Accept: application/pdf`, otherwise as JSON. Documents of other organisations return 404. Free.',
  },
  'start-top-up': {
    id: 'startTopUp',
    tag: 'Payments',
    summary: 'Start a payment for credits',
    description:
      'Opens an order at the current price and returns the page where it is paid (`checkout_url`). The wallet is credited once the payment is verified. The API key needs the scope `wallet:pay`, which a key without a list of scopes does not have. Charges no credits.',
  },
  'top-up': {
    id: 'getTopUp',
    tag: 'Payments',
    summary: 'Get the state of a payment',
    description:
      'Returns an order. If the order is not paid yet, the service first asks the payment provider, so that the credits are available when your customer returns from the payment page. `CREDITED` means that the credits are in the wallet. Free.',
  },
  verifications: {
    id: 'listVerifications',
    tag: 'Account',
    summary: 'List your requests',
    description:
      'Returns the log entries of the wallet, newest first, without identity data, and the requests that were rejected before they had an entry. With `reference`, it finds all requests with this reference, and with `idempotency_key` whether a request with this key was charged. A request appears a moment after its response. An interrupted request can appear up to 3 minutes later. A page may contain few entries, or none, and still have a `next_cursor`: the list ends when `next_cursor` is null. Free.',
  },
  verification: {
    id: 'getVerification',
    tag: 'Account',
    summary: 'Get the log entry of a request',
    description:
      'Returns the outcome, charge and times of one of your requests, without identity data. Requests of other organisations return 404. Free.',
  },
  openapi: {
    id: 'getOpenApiDocument',
    tag: 'Service',
    summary: 'Get this document',
    description:
      'Returns the OpenAPI 3.1 document of this version. Its server is the address that you used. No API key needed.',
  },
  health: {
    id: 'getHealth',
    tag: 'Service',
    summary: 'Get the state of the service',
    description:
      'Returns the state of the service and of each registry, derived from recent requests. It makes no look-ups, and a response may be up to 5 seconds old. `degraded` means that some requests fail while the service keeps working. `down` means that no live registry is available. Returns 503 if the service itself cannot serve requests. No API key needed.',
  },
  'slip-check': {
    id: 'checkSlip',
    tag: 'Slips',
    summary: "Check a slip's QR code",
    description:
      'Returns the page that the QR code of a slip opens. It shows whether the code is genuine, what was looked up, and when. Contains no identity data. No API key needed.',
  },
  'slip-details': {
    id: 'checkSlipDetails',
    tag: 'Slips',
    summary: 'Check the details printed on a slip',
    description:
      'Receives the form of the check page. Nothing typed is stored. Capitals, tone marks, spaces, hyphens and the order of given names do not matter. After 10 checks that do not match, a code allows one more each week. No API key needed.',
  },
  'paystack-webhook': {
    id: 'receivePaystackWebhook',
    tag: 'Service',
    summary: "Receive Paystack's webhook",
    description:
      'Only Paystack uses this route, to send its events. The signature identifies the sender. No API key needed.',
  },
  'payment-return': {
    id: 'showPayment',
    tag: 'Service',
    summary: 'Show the result of a payment',
    description:
      'Returns the page to which Paystack sends the browser after a payment. It shows the order, and nothing about the customer. No API key needed.',
  },
};

/** Returns the route of an operation. Throws if no operation has this ID. */
export function operationRoute(operationId: string): DocumentedRoute {
  const names = Object.keys(OPERATIONS) as DocumentedRoute[];
  const name = names.find((one) => OPERATIONS[one].id === operationId);
  if (name === undefined) throw new Error(`There is no operation ${operationId}.`);
  return name;
}
