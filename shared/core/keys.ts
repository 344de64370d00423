import { ENVIRONMENTS, type Environment } from './environment.ts';
import type { IdType } from './id-types.ts';

/**
 * All keys of the tables ApiKeys, Wallets, VerificationLogs, AuditTrail, Approvals, Payments and Console. Attributes and access
 * patterns are described in docs/design/tables. Parts of a key are separated by `#`, which only the last part may contain.
 */

/** The wallet of one organisation in one environment. */
export interface WalletId {
  readonly env: Environment;
  readonly organisationId: string;
}

/** The address of one shard of a wallet. Shards are counted from 0. */
export interface ShardRef {
  readonly wallet: WalletId;
  readonly shard: number;
}

/** A provider in one environment, for the numbers of one ID type: its sources fail independently of each other. */
export interface ProviderKey {
  readonly provider: string;
  readonly env: Environment;
  readonly idType: IdType;
}

export interface RowKey {
  readonly pk: string;
  readonly sk: string;
}

// ApiKeys

export const ORGANISATION_SORT = 'ORG';

export const organisationKey = (organisationId: string) => ({
  pk: `ORG#${organisationId}`,
  sk: ORGANISATION_SORT,
});

/**
 * The partition of an organisation's API keys, separate from the organisation, so that access to the keys gives no
 * access to the organisation.
 */
export const apiKeysPk = (organisationId: string) => `KEYS#${organisationId}`;

export const API_KEY_PREFIX = 'KEY#';
export const apiKeyKey = (organisationId: string, hash: string) => ({
  pk: apiKeysPk(organisationId),
  sk: `${API_KEY_PREFIX}${hash}`,
});

/** The number of keys that the organisation has ever had. It sorts before the keys, so a query returns it first. */
export const apiKeyCountKey = (organisationId: string) => ({ pk: apiKeysPk(organisationId), sk: 'COUNT' });

/** The limiter's row for one API key. */
export const limiterKey = (keyHash: string) => ({ pk: `RATE#${keyHash}`, sk: 'KEY' });

/** The limiter's row for all API keys of an organisation in one environment. */
export const organisationLimiterKey = (wallet: WalletId) => ({
  pk: `RATE#${walletName(wallet)}`,
  sk: 'KEYS',
});

/** The limiter's row for one number in one wallet, under its pseudonym. */
export const numberLimiterKey = (wallet: WalletId, numberTag: string) => ({
  pk: `RATE#${walletName(wallet)}#${numberTag}`,
  sk: 'NUMBER',
});

/** The stage's budget for look-ups with test keys. `TEST` cannot be the hash of a key or the name of a wallet. */
export const TEST_TRAFFIC_KEY = { pk: 'RATE#TEST', sk: 'STAGE' } as const;

export const registryStateKey = ({ provider, env, idType }: ProviderKey) => ({
  pk: `REGISTRY#${provider}#${env}#${idType}`,
  sk: 'STATE',
});

export const CHANGE_PREFIX = 'CHANGE#';
/** One change of a provider's state, next to the state. `time` is an ISO time, and `became` is the new state. */
export const registryChangeKey = (key: ProviderKey, time: string, became: string) => ({
  pk: registryStateKey(key).pk,
  sk: `${CHANGE_PREFIX}${time}#${became}`,
});

/** The requests of an organisation that were rejected on one day (`yyyy-mm-dd`, UTC). */
export const rejectedRequestsPk = (organisationId: string, day: string) =>
  `REJECTED#${organisationId}#${day}`;

/**
 * `sort` begins with a minute (ISO time). In the key of a row, the error code and the start of the API key's hash
 * follow.
 */
export const rejectedRequestsSk = (env: Environment, sort: string) => `${env}#${sort}`;

/** The row that counts the requests that were rejected in one minute (ISO time) with one code and one API key. */
export const rejectedRequestsKey = (
  { env, organisationId }: WalletId,
  minute: string,
  code: string,
  keyName: string,
) => ({
  pk: rejectedRequestsPk(organisationId, minute.slice(0, 10)),
  sk: rejectedRequestsSk(env, `${minute}#${code}#${keyName}`),
});

/** Counts the attempts to guess the details on a slip. `name` is a keyed hash of the start of its token. */
export const slipAttemptsKey = (name: string) => ({ pk: `SLIP#${name}`, sk: 'ATTEMPTS' });

/** Says that a slip was withdrawn. `name` is a keyed hash of the slip's request ID. */
export const slipWithdrawalKey = (name: string) => ({ pk: `SLIP#${name}`, sk: 'WITHDRAWN' });

/** The partition of the last published state of each subject. */
export const EVENTS_PK = 'EVENTS';
export const registrySubject = (provider: string) => `REGISTRY#${provider}`;
export const idTypeSubject = (idType: IdType) => `ID-TYPE#${idType}`;
export const organisationSubject = (organisationId: string) => `ORGANISATION#${organisationId}`;
/** Returns the organisation in a subject made by `organisationSubject`. */
export const organisationOfSubject = (subject: string) => subject.split('#')[1] ?? '';
export const walletSubject = ({ env, organisationId }: WalletId) =>
  env === 'live' ? `WALLET#${organisationId}` : `WALLET#${env}#${organisationId}`;
/** Undefined for other subjects. */
export function walletOfSubject(subject: string): WalletId | undefined {
  const [kind, first = '', second] = subject.split('#');
  if (kind !== 'WALLET') return undefined;
  return second === undefined
    ? { env: 'live', organisationId: first }
    : { env: 'test', organisationId: second };
}
/**
 * Unusual use of one API key (`name` is its hash), or, together, of all live keys of an organisation or of rejected
 * keys that name it (`name` is its ID).
 */
export const activitySubject = (name: string, kind: 'LOOKUPS' | 'MISSES' | 'NETWORK' | 'REJECTED') =>
  `ACTIVITY#${name}#${kind}`;
export const keyExpirySubject = (hash: string, notAfter: string) => `KEY#${hash}#${notAfter}`;

// Wallets and VerificationLogs

/** Returns `<env>#<org>`, the prefix of most of the wallet's keys. */
export function walletName({ env, organisationId }: WalletId): string {
  return `${env}#${organisationId}`;
}

/** Returns the wallet that a partition key begins with, or undefined if it does not begin with an environment. */
export function walletOfPk(pk: string): WalletId | undefined {
  const [first, organisationId = ''] = pk.split('#');
  const env = ENVIRONMENTS.find((known) => known === first);
  return env && { env, organisationId };
}

/** Returns the number tag in a partition key made by `logKey`. */
export const numberTagOf = (pk: string) => pk.split('#')[2] ?? '';

const shardDigits = (shard: number) => String(shard).padStart(2, '0');

export const shardPk = (wallet: WalletId, shard: number) => `${walletName(wallet)}#${shardDigits(shard)}`;

export const shardKey = (wallet: WalletId, shard: number) => ({ pk: shardPk(wallet, shard), sk: 'WALLET' });

/** Returns the shard in a partition key made by `shardKey`. */
export function shardRefOf(pk: string): ShardRef {
  const [env, organisationId = '', shard] = pk.split('#');
  return { wallet: { env: env === 'live' ? 'live' : 'test', organisationId }, shard: Number(shard) };
}

export const chargePk = (wallet: WalletId, operationId: string) => `${walletName(wallet)}#${operationId}`;

export const chargeKey = (wallet: WalletId, operationId: string) => ({
  pk: chargePk(wallet, operationId),
  sk: 'CHARGE',
});

export const creditPk = (wallet: WalletId, reference: string) => `${walletName(wallet)}#${reference}`;

export const creditKey = (wallet: WalletId, reference: string) => ({
  pk: creditPk(wallet, reference),
  sk: 'CREDIT',
});

/**
 * The row that names the owner of the top-up with this reference, so that an environment credits a payment only once.
 * `REFERENCE` cannot be the ID of an organisation.
 */
export const referenceKey = (env: Environment, reference: string) => ({
  pk: `${env}#REFERENCE#${reference}`,
  sk: 'REFERENCE',
});

/** `keyHash` is the SHA-256 of the route and the Idempotency-Key. */
export const idempotencyKey = (wallet: WalletId, keyHash: string) => ({
  pk: `${walletName(wallet)}#${keyHash}`,
  sk: 'IDEMPOTENCY',
});

/** Returns the hash in a partition key made by `idempotencyKey`. */
export const keyHashOf = (pk: string) => pk.slice(pk.lastIndexOf('#') + 1);

/** The seals of a wallet's days. `SEALS` cannot be a shard or the ID of an operation. */
export const sealsPk = (wallet: WalletId) => `${walletName(wallet)}#SEALS`;

/** The totals of a wallet's rows for one day (`yyyy-mm-dd`, UTC), as the reconciliation sealed them. */
export const sealKey = (wallet: WalletId, day: string) => ({ pk: sealsPk(wallet), sk: day });

/** The progress of sealing a wallet's days. Sorts after all days. */
export const sealHeadKey = (wallet: WalletId) => ({ pk: sealsPk(wallet), sk: 'HEAD' });

/** The progress of the daily reconciliation of a stage. `RECONCILIATION` cannot be the ID of an organisation. */
export const RECONCILIATION_KEY = { pk: 'live#RECONCILIATION#RUN', sk: 'RUN' } as const;

export const logPk = (wallet: WalletId, numberTag: string) => `${walletName(wallet)}#${numberTag}`;

export const logKey = (wallet: WalletId, numberTag: string, operationId: string) => ({
  pk: logPk(wallet, numberTag),
  sk: operationId,
});

const ERASED = 'erased.';

/** The marker of an erasure. Log rows that are written late, and replays, are checked against it. */
export const erasureMarkerKey = (wallet: WalletId, numberTag: string) => ({
  pk: `${walletName(wallet)}#ERASED`,
  sk: numberTag,
});

/**
 * The tag of an operation's log row after an erasure. It is derived from the operation alone, so that all functions
 * that move or write the row use the same key, and the rows of one person cannot be linked.
 */
export const erasedTag = (operationId: string) => `${ERASED}${operationId}`;
export const isErasedTag = (numberTag: string) => numberTag.startsWith(ERASED);

// AuditTrail

/** The partition of the changes to one organisation, or to the stage if it is undefined. */
export const auditPk = (organisationId: string | undefined) =>
  organisationId === undefined ? 'STAGE' : `ORG#${organisationId}`;

/** `id` is a ULID, so the rows of a partition sort by time. */
export const auditKey = (organisationId: string | undefined, id: string) => ({
  pk: auditPk(organisationId),
  sk: id,
});

// Approvals

/** The partition of requests that need a second person, and of their approvals. */
export const APPROVALS_PK = 'APPROVALS';
export const approvalRequestKey = (id: string) => ({ pk: APPROVALS_PK, sk: `REQUEST#${id}` });
export const approvalKey = (id: string) => ({ pk: APPROVALS_PK, sk: `APPROVED#${id}` });

/** The credits that one person booked on one UTC day without a second person. */
export const unapprovedCreditsKey = (person: string, day: string) => ({
  pk: `UNAPPROVED#${person}`,
  sk: day,
});

/** An operator's change that continues in the background. */
export const backgroundKey = (id: string) => ({ pk: `BACKGROUND#${id}`, sk: 'BACKGROUND' });

// Payments

/**
 * The price list of an organisation, or of the stage if the organisation is undefined. `STAGE` cannot be the ID of an
 * organisation.
 */
export const pricesPk = (organisationId: string | undefined) => `PRICES#${organisationId ?? 'STAGE'}`;

/** `from` is the ISO time from which the price applies. */
export const priceKey = (organisationId: string | undefined, from: string) => ({
  pk: pricesPk(organisationId),
  sk: from,
});

export const billingKey = (organisationId: string) => ({ pk: `ORG#${organisationId}`, sk: 'BILLING' });

/** In a partition of its own, so that only the functions of automatic top-ups can be given rights to saved cards. */
export const automaticTopUpKey = (organisationId: string) => ({
  pk: `AUTOMATIC#${organisationId}`,
  sk: 'AUTOMATIC',
});
export const organisationOfAutomaticPk = (pk: string) => pk.slice('AUTOMATIC#'.length);

/** An order for credits. `TOPUP` cannot be the ID of an organisation. */
export const orderKey = (env: Environment, reference: string) => ({
  pk: `${env}#TOPUP#${reference}`,
  sk: 'ORDER',
});

/** Returns the environment and the reference of an order in a partition key made by `orderKey`. */
export function orderOfPk(pk: string): { readonly env: Environment; readonly reference: string } {
  const [env, , reference = ''] = pk.split('#');
  return { env: env === 'live' ? 'live' : 'test', reference };
}

/** The reference of the order under an Idempotency-Key. `name` has the form of a reference. */
export const keyedReferenceKey = (env: Environment, name: string) => ({
  pk: orderKey(env, name).pk,
  sk: 'KEY',
});

export const REFUND_PREFIX = 'REFUND#';

/** A refund of an order's money, by the number of its credit note. */
export const refundKey = (env: Environment, order: string, creditNote: string) => ({
  pk: orderKey(env, order).pk,
  sk: `${REFUND_PREFIX}${creditNote}`,
});

/** Returns the number of the credit note in a sort key made by `refundKey`. */
export const creditNoteOfSk = (sk: string) => sk.slice(REFUND_PREFIX.length);

/** The partition of a wallet's lots, closings and documents in Payments. */
export const paymentsPk = (wallet: WalletId) => walletName(wallet);
export const LOT_PREFIX = 'LOT#';
export const CLOSING_PREFIX = 'CLOSE#';
export const DOCUMENT_PREFIX = 'DOCUMENT#';

/** `id` is a ULID, so a wallet's lots sort by time. */
export const lotKey = (wallet: WalletId, id: string) => ({
  pk: paymentsPk(wallet),
  sk: `${LOT_PREFIX}${id}`,
});

/** Returns the ID of the lot in a sort key made by `lotKey`. */
export const lotIdOf = (sk: string) => sk.slice(LOT_PREFIX.length);

/** `month` is an accounting month (`yyyy-mm`, Africa/Lagos). */
export const closingKey = (wallet: WalletId, month: string) => ({
  pk: paymentsPk(wallet),
  sk: `${CLOSING_PREFIX}${month}`,
});

export const documentKey = (wallet: WalletId, number: string) => ({
  pk: paymentsPk(wallet),
  sk: `${DOCUMENT_PREFIX}${number}`,
});

/** The counter of a series of documents, such as `IDV-2026`. */
export const counterKey = (series: string) => ({ pk: `COUNTER#${series}`, sk: 'COUNTER' });

/**
 * Returns what a partition key of Payments names: an organisation, the series of a counter, or an order, whose row names
 * its organisation. The price list of the stage is of `STAGE`.
 */
export function ownerInPayments(pk: string): readonly ['organisation' | 'series' | 'order' | 'none', string] {
  const [kind = '', id = ''] = pk.split('#');
  if (kind === 'COUNTER') return ['series', id];
  if (walletOfPk(pk)) return [id === 'TOPUP' ? 'order' : 'organisation', id];
  return [/^(ORG|AUTOMATIC|PRICES)$/.test(kind) ? 'organisation' : 'none', id];
}

// Console

/** `personId` is the subject of the person at the identity provider. */
export const personPk = (personId: string) => `PERSON#${personId}`;
export const personKey = (personId: string) => ({ pk: personPk(personId), sk: 'PERSON' });

/** The partition of an organisation in Console: its members, invitations, profile and counters. */
export const consolePk = (organisationId: string) => `ORG#${organisationId}`;

export const MEMBER_PREFIX = 'MEMBER#';
export const memberKey = (organisationId: string, personId: string) => ({
  pk: consolePk(organisationId),
  sk: `${MEMBER_PREFIX}${personId}`,
});

/** A copy of a membership in the person's partition, so that their organisations can be listed. */
export const membershipKey = (personId: string, organisationId: string) => ({
  pk: personPk(personId),
  sk: `${MEMBER_PREFIX}${organisationId}`,
});

/** `hash` is the SHA-256 of the cookie's secret. */
export const sessionKey = (hash: string) => ({ pk: `SESSION#${hash}`, sk: 'SESSION' });

/** Limits a person's requests in the console. */
export const personLimiterKey = (personId: string) => ({ pk: personPk(personId), sk: 'RATE' });

/** Limits the emails that a person causes. */
export const personMailsKey = (personId: string, kind: 'notice' | 'invitation') => ({
  pk: personPk(personId),
  sk: `MAILS#${kind}`,
});

/** Limits the deliveries that members of an organisation send. */
export const sendsLimiterKey = (organisationId: string) => ({ pk: `SENDS#${organisationId}`, sk: 'RATE' });

/** Limits the deliveries that they replay. */
export const replayLimiterKey = (organisationId: string) => ({
  pk: `SENDS#${organisationId}`,
  sk: 'REPLAYS',
});

/** Changes with each organisation that the person creates, so that concurrent requests cannot exceed the limit. */
export const creationsKey = (personId: string) => ({ pk: personPk(personId), sk: 'CREATIONS' });

/** `hash` is the SHA-256 of the secret in the link. */
export const invitationKey = (hash: string) => ({ pk: `INVITATION#${hash}`, sk: 'INVITATION' });

export const INVITATION_PREFIX = 'INVITATION#';
/** A copy of an invitation in the organisation's partition, so that its invitations can be listed. */
export const sentInvitationKey = (organisationId: string, id: string) => ({
  pk: consolePk(organisationId),
  sk: `${INVITATION_PREFIX}${id}`,
});

/** Changes with each invitation that the organisation sends, so that concurrent requests cannot exceed a limit. */
export const invitingKey = (organisationId: string) => ({ pk: consolePk(organisationId), sk: 'INVITING' });
/** The same for each invitation to an address. `hash` is the SHA-256 of the address. */
export const invitedKey = (hash: string) => ({ pk: `INVITATION#${hash}`, sk: 'INVITED' });
/** The same for each sign-up with an address, apart from invitations: anonymous callers must not use up their limit. */
export const signedUpKey = (hash: string) => ({ pk: `SIGN-UP#${hash}`, sk: 'SIGNED-UP' });
/** The same for each sign-up from a network (`accounts/network.ts`), or for the emails that they cause in the stage. */
export const signUpsKey = (network = 'STAGE') => ({ pk: `SIGN-UP#${network}`, sk: 'SIGN-UPS' });

export const profileKey = (organisationId: string) => ({ pk: consolePk(organisationId), sk: 'PROFILE' });

/**
 * Counts a person's look-ups of company and tax numbers on one day (`yyyy-mm-dd`, UTC), or those of the stage if the
 * person is undefined. `STAGE` cannot be the ID of an organisation.
 */
export const profileChecksKey = (personId: string | undefined, day: string) => ({
  pk: personId === undefined ? consolePk('STAGE') : personPk(personId),
  sk: `CHECKS#${day}`,
});

/** The look-ups of numbers that an organisation entered in its profile. */
export const numberLookUpsPk = (organisationId: string) => `LOOKUPS#${organisationId}`;
export const numberLookUpKey = (organisationId: string, numberTag: string, requestId: string) => ({
  pk: numberLookUpsPk(organisationId),
  sk: `${numberTag}#${requestId}`,
});

/** The usage of one month (`yyyy-mm`, Africa/Lagos) of a wallet. */
export const usagePk = (wallet: WalletId, month: string) => `${walletName(wallet)}#${month}`;

export const BALANCE_PREFIX = 'BALANCE#';
/** The balance of a wallet at the end of a day (`yyyy-mm-dd`, Africa/Lagos). */
export const dayBalanceKey = (wallet: WalletId, day: string) => ({
  pk: usagePk(wallet, day.slice(0, 7)),
  sk: `${BALANCE_PREFIX}${day}`,
});

/** The requests of a day for one service and one key label. */
export const usageKey = (wallet: WalletId, day: string, service: string, keyLabel: string) => ({
  pk: usagePk(wallet, day.slice(0, 7)),
  sk: `${day}#${service}#${keyLabel}`,
});

/** How far the usage of a wallet has been counted. `USAGE` replaces the month. */
export const usageStateKey = (wallet: WalletId) => ({ pk: usagePk(wallet, 'USAGE'), sk: 'STATE' });

/** The live look-ups of a wallet on one day (`yyyy-mm-dd`, UTC), by ID type. */
export const walletRegistriesKey = (wallet: WalletId, day: string) => ({
  pk: usagePk(wallet, day.slice(0, 7)),
  sk: `REGISTRY#${day}`,
});

/** The live look-ups of one ID type in all wallets, by day (`yyyy-mm-dd`, UTC). */
export const registryDaysPk = (idType: IdType) => `REGISTRY#${idType}`;
export const registryDayKey = (idType: IdType, day: string) => ({ pk: registryDaysPk(idType), sk: day });

/** The alerts of an organisation, and the settings for them. */
export const alertsPk = (organisationId: string) => `ALERTS#${organisationId}`;
export const ALERT_SETTINGS_PREFIX = 'SETTINGS';
export const alertSettingsKey = (organisationId: string, personId: string) => ({
  pk: alertsPk(organisationId),
  sk: `${ALERT_SETTINGS_PREFIX}#${personId}`,
});
const ALERT_PREFIX = 'ALERT#';
/** `id` begins with an ISO time, so alerts sort by time. */
export const alertKey = (organisationId: string, id: string) => ({
  pk: alertsPk(organisationId),
  sk: `${ALERT_PREFIX}${id}`,
});
/** The alert about an event. It exists once for each event, even if the event is delivered several times. */
export const alertedEventKey = (organisationId: string, eventId: string) => ({
  pk: alertsPk(organisationId),
  sk: `EVENT#${eventId}`,
});
/** The email about an event to one member. */
export const alertMailKey = (organisationId: string, eventId: string, personId: string) => ({
  pk: alertsPk(organisationId),
  sk: `MAIL#${eventId}#${personId}`,
});
/** The last outage of the registries, whose events are one alert. */
export const outageKey = (organisationId: string) => ({ pk: alertsPk(organisationId), sk: 'OUTAGE' });
/** Counts the alerts of one day (`yyyy-mm-dd`, Africa/Lagos), because only the first 20 of a day are sent by email. */
export const alertDayKey = (organisationId: string, day: string, eventType: string) => ({
  pk: alertsPk(organisationId),
  sk: `DAY#${day}#${eventType}`,
});

/** The webhook endpoints of an organisation in one environment. */
export const endpointsPk = (wallet: WalletId) => `HOOKS#${walletName(wallet)}`;
export const ENDPOINT_PREFIX = 'HOOK#';
export const endpointKey = (wallet: WalletId, endpointId: string) => ({
  pk: endpointsPk(wallet),
  sk: `${ENDPOINT_PREFIX}${endpointId}`,
});
/**
 * Changes with each new endpoint, so that concurrent requests cannot exceed the limit. It sorts before the endpoints.
 */
export const endpointCountKey = (wallet: WalletId) => ({ pk: endpointsPk(wallet), sk: 'COUNT' });

/** The deliveries to one endpoint. The organisation is part of the key, so an endpoint's ID alone gives no access. */
export const deliveriesPk = (wallet: WalletId, endpointId: string) =>
  `HOOK#${walletName(wallet)}#${endpointId}`;
export const DELIVERY_PREFIX = 'DELIVERY#';
/** `id` is a ULID, so deliveries sort by time. */
export const deliveryKey = (wallet: WalletId, endpointId: string, id: string) => ({
  pk: deliveriesPk(wallet, endpointId),
  sk: `${DELIVERY_PREFIX}${id}`,
});
/** The attempts of a delivery, in order. */
export const attemptPrefix = (deliveryId: string) => `ATTEMPT#${deliveryId}#`;
export const attemptKey = (wallet: WalletId, endpointId: string, deliveryId: string, number: number) => ({
  pk: deliveriesPk(wallet, endpointId),
  sk: `${attemptPrefix(deliveryId)}${String(number).padStart(6, '0')}`,
});
/** The delivery of an event to an endpoint. It exists once, even if the event is published several times. */
export const eventDeliveryKey = (wallet: WalletId, endpointId: string, eventId: string) => ({
  pk: deliveriesPk(wallet, endpointId),
  sk: `EVENT#${eventId}`,
});

// Indexes

/** Index `due` of Payments: the rows that a scheduled function must process or a person must review, by ISO time. */
export interface DueEntry {
  readonly dueKey?: string;
  readonly dueSort?: string;
}
export const DUE_ORDERS = 'DUE#ORDERS';
/** Paid orders that are not credited yet. */
export const DUE_PAID = 'DUE#PAID';
/** Credited orders whose event is not published yet. */
export const DUE_CREDITED = 'DUE#CREDITED';
export const DUE_LOTS = 'DUE#LOTS';
/** Wallets that are topped up automatically. */
export const DUE_AUTOMATIC = 'DUE#AUTOMATIC';
export const DUE_REFUNDS = 'DUE#REFUNDS';
/** Orders and refunds that a person must review. */
export const DUE_REVIEW = 'DUE#REVIEW';
/** Sorts after every ISO time. No function processes a row of `DUE_REVIEW` with this value. */
export const NEVER_DUE = '9999';

/** Index `orders` of Payments: the orders of a wallet, by time. */
export const ordersIndexKey = (wallet: WalletId) => walletName(wallet);

/** Index `wallets` of Wallets: all shards of an environment. */
export const walletsIndexKey = (env: Environment) => `WALLETS#${env}`;

/** Index `byRequest` of VerificationLogs. */
export const requestIndexKey = (wallet: WalletId, requestId: string) => `${walletName(wallet)}#${requestId}`;

/** Index `statement` of Wallets: one month (`yyyy-mm`, UTC) of one shard. */
export const statementIndexKey = (wallet: WalletId, month: string, shard: number) =>
  `${walletName(wallet)}#${month}#${shardDigits(shard)}`;

/** The position of a row among others: its ISO time, and an ID. */
export const sortByTime = (time: string, id: string) => `${time}#${id}`;

/** Returns the ID in a position made by `sortByTime`. */
export const afterTime = (position: string) => position.slice(position.indexOf('#') + 1);

/** The partitions of a day in `byTime`. DynamoDB writes at most 1,000 rows a second to one partition of an index. */
export const DAY_PARTITIONS = 4;

/** Returns the partition of an operation's log row. It is random, because the last character of a ULID is. */
export const dayPartition = (operationId: string) =>
  operationId.charCodeAt(operationId.length - 1) % DAY_PARTITIONS;

/** Index `byTime` of VerificationLogs: one of the partitions of a day (`yyyy-mm-dd`, UTC). */
export const timeIndexKey = (wallet: WalletId, day: string, partition: number) =>
  `${walletName(wallet)}#${day}#${shardDigits(partition)}`;

/** Index `byReference` of VerificationLogs. The hash contains no `#`, and has the same length for every reference. */
export const referenceIndexKey = (wallet: WalletId, referenceHash: string) =>
  `${walletName(wallet)}#${referenceHash}`;
