/** A client of the identity verification API: NIN, BVN, CAC, TIN and NUBAN. Start at IdentityClient. */
export { isValidBvn, isValidCac, isValidNin, isValidNuban, isValidTin } from './checks.ts';
export {
  type AccountOptions,
  type CallOptions,
  type CompanyOptions,
  type GatewayOptions,
  IdentityClient,
  type IdentityClientOptions,
  type InvoicesOptions,
  type ListOptions,
  type MatchOptions,
  type PageOptions,
  type PaidCallOptions,
  type SlipOptions,
  type TopUpOptions,
  type TransactionsOptions,
  type VerificationsOptions,
  type VerifyOptions,
} from './client.ts';
export { type Charged, type ErrorCode, type ErrorKind, type ErrorReason, IdentityError } from './errors.ts';
export type * from './records.ts';
export type { RateLimit } from './responses.ts';
export { type CallOutcome, safely } from './safely.ts';
export type { Verification } from './verification.ts';
export { VERSION } from './version.ts';
export {
  verifyWebhook,
  WebhookError,
  type WebhookErrorReason,
  type WebhookEvent,
  type WebhookEventType,
  type WebhookHeaders,
  type WebhookOptions,
} from './webhooks.ts';
