import packageFile from '../../package.json' with { type: 'json' };
import { envelopeSchemas } from './envelope-schemas.ts';
import { type Examples, exampleComponents } from './examples.ts';
import { headerComponents } from './headers.ts';
import type { JsonSchema } from './json-schemas.ts';
import { OPERATIONS, type Tag } from './operations.ts';
import { bodyExamples, bodySchema, IDEMPOTENCY_PARAMETER, parameters } from './requests.ts';
import { failureResponses, responses, unknownRouteResponses } from './responses.ts';
import { type DocumentedRoute, documentedCodes, RECORD_SERVICES } from './route-codes.ts';

/** The OpenAPI 3.1 document, generated from the schemas and the error catalogue that the code itself uses. */

export interface ApiRoute {
  readonly method: 'GET' | 'POST';
  /** The path after `/v1`, without a trailing slash. */
  readonly path: string;
  readonly name: string;
}

const ABOUT = `Verify Nigerian identity numbers against their registries: NIN (national identity), BVN (bank verification), CAC (company, business name, trustees or partnership), TIN (taxpayer) and NUBAN (bank account). One HTTPS request returns one record and costs one prepaid credit if the record is found.

**Paths.** Every path is available under \`/api/v1\` and \`/v1\`, with and without a trailing slash. This document lists the canonical form. \`HEAD\` is served wherever \`GET\` is. Any other method of these paths returns 405 \`METHOD_NOT_ALLOWED\` with the header \`Allow\`, and any other path 404 \`ROUTE_NOT_FOUND\`.

**Codes.** Programs use \`code\`; the \`message\` may change. For each error code, \`x-codes\` says whether the request was charged (\`x-charged\`) and whether to retry it (\`x-retry\`: \`no\`, \`once\` after a short pause, or \`later\` after \`Retry-After\` or with exponential backoff).

**Reasons.** Errors that concern what you sent (the body, its number, a header or a query parameter) also have \`error\`: \`reason\` for programs, the \`field\`, and a \`hint\`. A number in a wrong format has the reason \`wrong_format\`, and a number without a record \`no_record\`.

**Errors from API Gateway.** API Gateway can reject a request before it reaches the service. Its responses have their own request ID and an empty timestamp (\`ApiGatewayFailure\`). \`x-api-gateway-codes\` lists their codes.

**Sandbox.** Test keys (\`idv_test_...\`) only reach the sandbox, where the last four digits of a number select the outcome:

- \`0404\`: not found
- \`0400\`: the registry returns an error
- \`0503\`: the registry cannot be reached
- \`0504\`: the registry does not respond in time
- \`0500\`: internal error
- \`0206\`: found, without a photo
- \`0299\`: found, after 3 seconds
- \`0301\` to \`0305\`: found, as a variant of a person: with tone marks, with given and family name swapped, with a married name, with initials, with day and month of birth swapped

Any other number is found. All examples come from the sandbox and are invented.`;

const TAGS: readonly { readonly name: Tag; readonly description: string }[] = [
  {
    name: 'Verification',
    description: 'Look up a number in its registry. Costs one credit if the record is found.',
  },
  { name: 'Slips', description: 'PDF slips of verified NINs, and the page that their QR codes open.' },
  { name: 'Account', description: 'Your wallet and your verification log. Free.' },
  { name: 'Service', description: 'This document and the state of the service. No API key needed.' },
];

/** Returns the canonical path, which ends in a slash (decision A1). */
export function canonicalPath({ path }: Pick<ApiRoute, 'path'>): string {
  return `/api/v1${path}/`;
}

export function apiDocument(routes: readonly ApiRoute[], examples: Examples): JsonSchema {
  const documented = routes.map((route) => ({ ...route, name: route.name as DocumentedRoute }));
  const paths = Object.fromEntries(
    documented.map((route) => [canonicalPath(route), { [route.method.toLowerCase()]: operation(route) }]),
  );
  const unknownRoute = unknownRouteResponses(examples);
  const failures = failureResponses(documented.map(({ name }) => name));
  const users = [paths, unknownRoute, failures];
  return {
    openapi: '3.1.1',
    info: INFO,
    servers: [
      { url: '/', description: 'The host that serves this document, with its stage path if it has one.' },
    ],
    security: [{ bearerKey: [] }, { plainKey: [] }],
    tags: TAGS,
    paths,
    'x-unknown-route': unknownRoute,
    components: {
      securitySchemes: SECURITY_SCHEMES,
      parameters: { IdempotencyKey: IDEMPOTENCY_PARAMETER },
      headers: headerComponents(users),
      responses: failures,
      schemas: envelopeSchemas(RECORD_SERVICES),
      examples: exampleComponents(examples, users),
    },
  };
}

const INFO = {
  title: 'Identity verification',
  version: packageFile.version,
  summary: 'Verify NIN, BVN, CAC, TIN and NUBAN numbers in Nigeria.',
  description: ABOUT,
  license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
} as const;

const SECURITY_SCHEMES = {
  bearerKey: {
    type: 'http',
    scheme: 'bearer',
    description: '`Authorization: Bearer <API key>`. Preferred.',
  },
  plainKey: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description: '`Authorization: <API key>`, without the word `Bearer`. Accepted on every route as well.',
  },
} as const;

function operation({ name }: { readonly name: DocumentedRoute }): JsonSchema {
  const schema = bodySchema(name);
  const isPublic = !documentedCodes(name).includes('RATE_LIMITED');
  const given = parameters(name);
  return {
    operationId: name,
    tags: [OPERATIONS[name].tag],
    summary: OPERATIONS[name].summary,
    description: OPERATIONS[name].description,
    ...(isPublic && { security: [] }),
    ...(given.length > 0 && { parameters: given }),
    ...(schema && {
      requestBody: {
        required: true,
        description: 'At most 4,096 bytes. Unknown and duplicate fields are rejected.',
        content: { 'application/json': { schema, examples: bodyExamples(name) } },
      },
    }),
    responses: responses(name),
  };
}
