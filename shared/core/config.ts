import * as v from 'valibot';
import { ID_TYPES, type IdType } from './id-types.ts';

/**
 * The only module that reads the environment. CDK constructs set the variables together with the permissions. Functions
 * read most variables when they start. If one of these is missing or malformed, the cold start fails with an error that
 * names it.
 */

const wholeNumber = v.pipe(v.string(), v.regex(/^[0-9]{1,9}$/), v.transform(Number));
const count = v.pipe(v.number(), v.integer(), v.minValue(1));
const trafficLimit = { requestsPerSecond: count, concurrentRequests: count };
const providerNames = v.array(v.pipe(v.string(), v.regex(/^[a-z][a-z0-9-]*$/)));

const SCHEMAS = {
  STAGE: v.picklist(['local', 'dev', 'staging', 'prod']),
  /** The service name in log lines and metrics. The default is the logger's own. */
  POWERTOOLS_SERVICE_NAME: v.optional(v.string(), 'service_undefined'),
  /** The version of the running function. Lambda sets it. */
  AWS_LAMBDA_FUNCTION_VERSION: v.optional(v.string(), '$LATEST'),
  /** The name of the running function. Lambda sets it. */
  AWS_LAMBDA_FUNCTION_NAME: v.pipe(v.string(), v.nonEmpty()),
  /** The region of the function. Lambda sets it. */
  AWS_REGION: v.pipe(v.string(), v.nonEmpty()),
  /** The endpoints of AWS services in the local runtime and in tests; not set on AWS. */
  AWS_ENDPOINT_URL_DYNAMODB: v.optional(v.pipe(v.string(), v.url())),
  AWS_ENDPOINT_URL_SECRETS_MANAGER: v.optional(v.pipe(v.string(), v.url())),
  AWS_ENDPOINT_URL_SQS: v.optional(v.pipe(v.string(), v.url())),
  AWS_ENDPOINT_URL_S3: v.optional(v.pipe(v.string(), v.url())),
  AWS_ENDPOINT_URL_LAMBDA: v.optional(v.pipe(v.string(), v.url())),
  API_KEYS_TABLE: v.pipe(v.string(), v.nonEmpty()),
  WALLETS_TABLE: v.pipe(v.string(), v.nonEmpty()),
  VERIFICATION_LOGS_TABLE: v.pipe(v.string(), v.nonEmpty()),
  PAYMENTS_TABLE: v.pipe(v.string(), v.nonEmpty()),
  AUDIT_TRAIL_TABLE: v.pipe(v.string(), v.nonEmpty()),
  APPROVALS_TABLE: v.pipe(v.string(), v.nonEmpty()),
  CONSOLE_TABLE: v.pipe(v.string(), v.nonEmpty()),
  PUBLIC_BASE_URL: v.optional(v.string(), ''),
  /** The origin of the console, without a trailing slash. Empty locally, where the origin of the request is used. */
  CONSOLE_URL: v.optional(v.string(), ''),
  /**
   * The same origin, for links in emails that are not sent during a request. Locally, the runtime sets it. Empty if the
   * stage has no console.
   */
  LINKED_CONSOLE_URL: v.union([v.literal(''), v.pipe(v.string(), v.url())]),
  /** The identity provider of the console: the issuer of its tokens, and the ID of the console's client. */
  SIGN_IN_ISSUER: v.pipe(v.string(), v.url()),
  SIGN_IN_CLIENT_ID: v.pipe(v.string(), v.nonEmpty()),
  /** The user pool from which the client's secret is read. */
  SIGN_IN_POOL_ID: v.pipe(v.string(), v.nonEmpty()),
  /** The sender of the console's emails. */
  MAIL_FROM: v.pipe(v.string(), v.nonEmpty()),
  /** The terms of service that organisations accept. */
  TERMS: v.pipe(v.string(), v.parseJson(), v.object({ version: v.string(), url: v.string() })),
  /** The number of credits that an organisation can add to its test wallet each day. */
  TEST_CREDITS: wholeNumber,
  /**
   * One operator's changes of more credits than this on a day need a second person, as do others (`needsSecondPerson`).
   * `off`: no change does.
   */
  SECOND_PERSON_ABOVE: v.pipe(
    v.union([v.literal('off'), wholeNumber]),
    v.transform((value) => (value === 'off' ? undefined : value)),
  ),
  /** The address of the API without `/v1`, and that of its documentation, for the console's pages. */
  API_URL: v.optional(v.string(), ''),
  DOCUMENTATION_URL: v.optional(v.string(), ''),
  /** The operator's support contact: an email address, an https URL, or nothing. */
  SUPPORT_CONTACT: v.optional(v.string(), ''),
  /** The file with the operator's slip theme, next to the function's code. */
  SLIP_THEME: v.optional(v.string(), ''),
  /** The directory of the function's code on Lambda. */
  LAMBDA_TASK_ROOT: v.pipe(v.string(), v.nonEmpty()),
  /** The bucket with the archive of the audit trail, and the AWS account that owns it. */
  ARCHIVE_BUCKET: v.pipe(v.string(), v.nonEmpty()),
  ARCHIVE_ACCOUNT: v.pipe(v.string(), v.nonEmpty()),
  /** The event bus of the stage (docs/operate/events.md). */
  EVENT_BUS: v.pipe(v.string(), v.nonEmpty()),
  /** The function that publishes events. */
  EVENT_PUBLISHER: v.pipe(v.string(), v.nonEmpty()),
  /** The webhook queue. */
  WEBHOOK_QUEUE_URL: v.pipe(v.string(), v.url()),
  /** Its dead-letter queue. */
  FAILED_WEBHOOKS_URL: v.pipe(v.string(), v.url()),
  /** The threshold for low balances, in credits, of organisations that have not set one. */
  LOW_BALANCE_CREDITS: wholeNumber,
  /** ARNs of the secrets whose age is monitored, separated by commas. */
  MONITORED_SECRETS: v.pipe(
    v.string(),
    v.transform((text) => text.split(',').filter(Boolean)),
  ),
  /** Address of Lambda's X-Ray daemon; empty if nothing is traced. */
  AWS_XRAY_DAEMON_ADDRESS: v.optional(v.string(), ''),
  /** The address of the API that the probe checks, and the region of its test key. */
  PROBED_URL: v.pipe(v.string(), v.url()),
  SECRETS_REGION: v.optional(v.string(), ''),
  /** Method and path of each route that the rollout checks, by the route's name. */
  CHECKED_ROUTES: v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.string())),
  /** Of the names of their functions. */
  CHECKED_PREFIX: v.string(),
  /** The methods of each path below `/v1`, formatted as in the Allow header. */
  ALLOWED_METHODS: v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.string())),
  /** Seller, VAT and limits of top-ups, as JSON (`MoneySettings`); empty if the stage has no `money` settings. */
  MONEY: v.optional(v.string(), ''),
  SANDBOX_URL: v.pipe(v.string(), v.url()),
  /** Timeout of each attempt of a DynamoDB call, in milliseconds. */
  DATABASE_TIMEOUT_MS: v.optional(wholeNumber, '2000'),
  /**
   * Whether an account without a bank code may be looked up at all banks whose code fits its check digit (contract D8).
   */
  NUBAN_RESOLVE: v.pipe(
    v.optional(v.picklist(['on', 'off']), 'off'),
    v.transform((text) => text === 'on'),
  ),
  /** How long a look-up may wait for its registry, in milliseconds. */
  REGISTRY_TIMEOUT_MS: v.optional(wholeNumber, '20000'),
  LOG_RETENTION_DAYS: v.optional(wholeNumber, '365'),
  /** The budget for look-ups with test keys. */
  TEST_TRAFFIC: v.pipe(
    v.string(),
    v.parseJson(),
    v.object({ ...trafficLimit, perOrganisation: v.object(trafficLimit) }),
  ),
  /** Live providers by ID type, in the order in which they are called. */
  REGISTRIES: v.pipe(
    v.optional(v.string(), '{}'),
    v.parseJson(),
    v.record(v.picklist(ID_TYPES), providerNames),
  ),
} as const;

/** The live providers of each ID type, in order of preference. */
export type RegistryRouting = Partial<Readonly<Record<IdType, readonly string[]>>>;

/** Reads one setting. Throws with the variable's name if it is missing or malformed. */
export function setting<K extends keyof typeof SCHEMAS>(name: K): v.InferOutput<(typeof SCHEMAS)[K]> {
  const result = v.safeParse(SCHEMAS[name], process.env[name]);
  if (!result.success) throw new Error(`The environment variable ${name} is missing or malformed.`);
  return result.output as v.InferOutput<(typeof SCHEMAS)[K]>;
}

/**
 * Returns the name of a table. If the function may not access the table, it has no name: AWS then rejects each use of
 * the text that this function returns instead.
 */
export function tableName(name: Extract<keyof typeof SCHEMAS, `${string}_TABLE`>): string {
  return process.env[name] ?? 'no-access';
}

/** Returns the ARN of a secret, or undefined if the function may not read it. */
export function secretArn(name: string): string | undefined {
  return process.env[`${name}_SECRET`];
}

const SECRET_VARIABLE = /^([A-Z_]+)_SECRET$/;

/** Returns the names of all secrets that the function may read. */
export function secretNames(): string[] {
  return Object.keys(process.env).flatMap((variable) => SECRET_VARIABLE.exec(variable)?.[1] ?? []);
}

/**
 * Returns the X-Ray header of the current request (`Root=...;Parent=...;Sampled=...`), or an empty string. Lambda keeps
 * it in its own store, and also in the environment while an instance serves one request at a time.
 */
export function traceHeader(): string {
  const { awslambda } = globalThis as {
    awslambda?: { InvokeStore?: { getXRayTraceId(): string | undefined } };
  };
  return awslambda?.InvokeStore?.getXRayTraceId() ?? process.env['_X_AMZN_TRACE_ID'] ?? '';
}
