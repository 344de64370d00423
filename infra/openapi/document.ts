import packageFile from '../../package.json' with { type: 'json' };
import { ID_TYPES, type IdType } from '../../shared/core/id-types.ts';
import { NIN_ITSELF } from '../../shared/core/numbers.ts';
import { contactOf } from '../../shared/http/routes/openapi.ts';
import { LONGEST_VALUE } from '../../shared/slips/typed-form.ts';
import { local } from '../stages/local.ts';
import type { Examples } from './examples.ts';
import { commonHeaders, headerComponents } from './headers.ts';
import { type JsonSchema, schemaRef } from './json-schemas.ts';
import { OPERATIONS, type Tag } from './operations.ts';
import {
  bodyExamples,
  bodyName,
  IDEMPOTENCY_PARAMETER,
  pageParameters,
  parameters,
  requestSchemas,
} from './requests.ts';
import {
  apiGatewayCodes,
  checkPageResponse,
  codeMeanings,
  errorRules,
  failureResponses,
  responses,
  unknownRoute,
} from './responses.ts';
import { type DocumentedRoute, hasKey } from './route-codes.ts';
import { documentSamples } from './samples.ts';
import { responseSchemas } from './schemas.ts';
import { webhooks } from './webhooks.ts';

/** The OpenAPI 3.1 document, generated from the schemas and the error catalogue that the code itself uses. */

interface ApiRoute {
  readonly method: 'GET' | 'POST';
  /** The path after `/v1`, without a trailing slash. */
  readonly path: string;
  readonly name: string;
}

type DocumentedApiRoute = ApiRoute & { readonly name: DocumentedRoute };

const NUMBERS: Readonly<Record<IdType, string>> = {
  NIN: 'national identity',
  BVN: 'bank verification',
  CAC: 'company, business name, trustees or partnership',
  TIN: 'taxpayer',
  NUBAN: 'bank account',
};
const ABOUT = `Verify Nigerian identity numbers against their registries: ${new Intl.ListFormat('en-GB').format(ID_TYPES.map((idType) => `${idType} (${NUMBERS[idType]})`))}. One HTTPS request returns one record and usually costs one prepaid credit if the record is found.

**Paths.** Every path is available under \`/api/v1\` and \`/v1\`, with and without a trailing slash. This document lists the canonical form. \`HEAD\` is served wherever \`GET\` is. Any other method of these paths returns 405 \`METHOD_NOT_ALLOWED\` with the header \`Allow\`, and any other path 404 \`ROUTE_NOT_FOUND\`.

**Requests.** Bodies are JSON of at most 4,096 bytes. Unknown and duplicate fields are rejected. Every response has the headers \`X-Request-Id\`, \`Cache-Control\` and \`X-Content-Type-Options\`. Routes with a key also return \`RateLimit\` and \`RateLimit-Policy\`.

**Codes.** Programs use \`code\`; the \`message\` may change. Each operation lists its error codes by status in \`x-error-codes\`. A field of a response with \`x-extensible-enum\` may have more values later. \`x-codes\` says for each code whether the request may have been \`charged\` and whether to \`retry\` it (never if absent, \`once\` after a short pause, or \`later\` after \`Retry-After\` or with exponential backoff).

**Reasons.** Errors about what you sent also have \`error\`: \`reason\` for programs, the \`field\`, and a \`hint\`. A number in a wrong format has the reason \`wrong_format\`, and a number without a record \`no_record\`.

**Compression.** A response of 1,024 bytes or more is compressed if the request has \`Accept-Encoding: gzip\`. PDFs and request bodies are never compressed.

**Errors from API Gateway.** API Gateway can reject a request before it reaches the service. Its responses have their own request ID, an empty timestamp and an empty \`verification_type\`. \`x-api-gateway-codes\` lists their codes by status.

**Samples.** The samples in Python and TypeScript use our clients, which read \`NG_IDENTITY_BASE_URL\` and \`NG_IDENTITY_API_KEY\` from the environment. The samples in other languages are fragments, without imports or error handling. They are shown once for each form of request: \`verifyNinBasic\`, \`verifyIdentity\`, \`downloadNinSlip\` and \`getBalance\`.

**Sandbox.** Test keys (\`idv_test_...\`) reach only the sandbox, where the last four digits of a number select the outcome: \`0404\` not found, \`0400\` registry error, \`0503\` registry unavailable, \`0504\` registry timeout, \`0500\` internal error, \`0206\` found without a photo, \`0299\` found after 3 seconds, \`0301\` to \`0305\` found as a variant of a person, \`0401\`, \`0402\`, \`0409\` and \`0429\` rejected with that status, \`0520\` charged without a record. Any other number is found. All examples are invented.`;

const TAGS: readonly { readonly name: Tag | 'Webhooks'; readonly description: string }[] = [
  {
    name: 'Verification',
    description:
      'Look up a number in its registry. Charged only if the record is found. A number in the wrong format returns the not-found code without a look-up; the message states the expected format.',
  },
  { name: 'Slips', description: 'PDF slips of verified NINs, and the page that their QR codes open.' },
  { name: 'Account', description: 'Your wallet and your verification log. Free.' },
  {
    name: 'Payments',
    description:
      'Buy credits, and get your invoices. Amounts of money are in whole kobo. Only `total_kobo` includes VAT.',
  },
  {
    name: 'Service',
    description:
      'This document, the state of the service, and the routes that Paystack calls or redirects to. No API key needed.',
  },
  { name: 'Webhooks', description: 'What the service sends to your server.' },
];

/** Returns the canonical path, which ends in a slash (contract A1). */
export function canonicalPath({ path }: Pick<ApiRoute, 'path'>): string {
  return `/api/v1${path}/`;
}

export function apiDocument(routes: readonly ApiRoute[], examples: Examples): JsonSchema {
  const documented = routes.map((route) => ({ ...route, name: route.name as DocumentedRoute }));
  const paths: Record<string, JsonSchema> = {};
  for (const route of documented) {
    const path = canonicalPath(route);
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route, examples) };
  }
  const failures = { ...failureResponses(examples), CheckPage: checkPageResponse() };
  return {
    openapi: '3.1.1',
    info: INFO,
    servers: SERVERS,
    security: [{ apiKey: [] }],
    tags: TAGS,
    paths,
    webhooks: webhooks(),
    'x-headers': commonHeaders(),
    'x-unknown-route': unknownRoute(examples),
    'x-codes': codeMeanings(),
    'x-api-gateway-codes': apiGatewayCodes(),
    components: {
      securitySchemes: SECURITY_SCHEMES,
      parameters: { IdempotencyKey: IDEMPOTENCY_PARAMETER, ...pageParameters() },
      headers: headerComponents([paths, failures]),
      responses: failures,
      schemas: { ...requestSchemas(), ...responseSchemas() },
    },
  };
}

const INFO = {
  title: 'Identity verification',
  version: packageFile.version,
  summary: 'Verify NIN, BVN, CAC, TIN and NUBAN numbers in Nigeria.',
  description: ABOUT,
  contact: contactOf(local.supportContact),
  license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
} as const;

const SERVERS = [
  { url: 'http://127.0.0.1:3000', description: 'The local service: `npm start`.' },
  {
    url: 'https://{host}',
    description: 'A deployed service.',
    variables: {
      host: { default: 'api.example.com', description: 'The host name that your operator gave you.' },
    },
  },
] as const;

const SECURITY_SCHEMES = {
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    description: '`Authorization: Bearer <API key>`. The header is also accepted without the word `Bearer`.',
  },
} as const;

/** Paystack's documentation describes the content of its events. */
const WEBHOOK_BODY = {
  required: true,
  content: { 'application/json': { schema: { type: 'object' } } },
} as const;

const DETAIL = { type: 'string', maxLength: LONGEST_VALUE } as const;

/** The HTML form on the check page. */
const DETAILS_BODY = {
  required: true,
  content: {
    'application/x-www-form-urlencoded': {
      schema: {
        type: 'object',
        additionalProperties: false,
        required: ['nin', 'surname'],
        dependentRequired: { given_names: ['birth_date'], birth_date: ['given_names'] },
        properties: {
          nin: { type: 'string', pattern: NIN_ITSELF.source },
          surname: DETAIL,
          given_names: DETAIL,
          birth_date: { ...DETAIL, example: '12 MAR 1990' },
        },
      },
    },
  },
} as const;

function operation(route: DocumentedApiRoute, examples: Examples): JsonSchema {
  const { name, method } = route;
  const { id, tag, summary, description } = OPERATIONS[name];
  const body = bodyName(name);
  const given = parameters(name);
  return {
    operationId: id,
    tags: [tag],
    summary,
    description,
    ...(!hasKey(name) && { security: [] }),
    ...(given.length > 0 && { parameters: given }),
    ...(body !== undefined && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: schemaRef(body), examples: bodyExamples(name) } },
      },
    }),
    ...(name === 'paystack-webhook' && { requestBody: WEBHOOK_BODY }),
    ...(name === 'slip-details' && { requestBody: DETAILS_BODY }),
    responses: responses(name, examples),
    ...errorRules(name),
    'x-codeSamples': documentSamples(name, { method, path: canonicalPath(route) }),
  };
}
