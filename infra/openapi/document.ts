import { SERVICE_NAMES } from '../../shared/verifications/services.ts';
import { envelopeSchemas } from './envelope-schemas.ts';
import type { ExampleName, Examples } from './example-names.ts';
import { headerComponents } from './headers.ts';
import type { JsonSchema } from './json-schemas.ts';
import { type DocumentedRoute, OPERATIONS } from './operations.ts';
import { bodyExamples, bodySchema, IDEMPOTENCY_PARAMETER, parameters } from './requests.ts';
import { failureResponses, responses, unknownRouteResponses } from './responses.ts';
import { documentedCodes } from './route-codes.ts';

/** The OpenAPI 3.1 document, from the schemas and the catalogue that the code runs on. */

export interface ApiRoute {
  readonly method: 'GET' | 'POST';
  /** After `/v1`, without a slash at its end. */
  readonly path: string;
  readonly name: string;
}

const ABOUT = `Verifies Nigerian identity numbers against their registries: NIN, BVN, CAC, TIN and NUBAN.

Every path answers under \`/api/v1\` and \`/v1\`, with and without a slash at its end; the form below is the canonical one. Everything else is 404 \`ROUTE_NOT_FOUND\`.

Every JSON answer carries \`code\`: decide by it. \`x-codes\` says for each code whether the request was charged (\`x-charged\`) and whether to send it again (\`x-retry\`: \`later\` after Retry-After or a back-off). What API Gateway answers by itself has its own request id and an empty time (\`ApiGatewayFailure\`); those codes stand under \`x-api-gateway-codes\`.

Test keys (\`idv_test_...\`) reach the sandbox only, where the last four digits of a number choose the outcome: 0404 not found, 0400 registry error, 0503 unreachable, 0504 no answer in time, 0500 internal fault, 0206 found without photo, 0299 slow but found; any other number is found. All examples are the sandbox's: their people and companies are invented.`;

const TAGS = [
  { name: 'Verification', description: 'Ask a registry for a record. One credit, only when it is found.' },
  { name: 'Slips', description: 'PDF slips of verified NINs, and the page behind their QR code.' },
  { name: 'Account', description: 'Wallet and log. Free.' },
  { name: 'Service', description: 'No key needed.' },
] as const;

/** The canonical spelling: a slash at the end (decision A1). */
export function canonicalPath({ path }: Pick<ApiRoute, 'path'>): string {
  return `/api/v1${path}/`;
}

export function apiDocument(routes: readonly ApiRoute[], examples: Examples): JsonSchema {
  const documented = routes.map((route) => ({ ...route, name: route.name as DocumentedRoute }));
  const paths = documented.map((route) => [
    canonicalPath(route),
    { [route.method.toLowerCase()]: operation(route) },
  ]);
  const answers = {
    paths: Object.fromEntries(paths),
    'x-unknown-route': unknownRouteResponses(examples),
    responses: failureResponses(documented.map(({ name }) => name)),
  };
  return {
    openapi: '3.1.1',
    info: INFO,
    servers: [{ url: '/', description: 'The host of this document, and its stage path if it has one.' }],
    security: [{ bearerKey: [] }, { plainKey: [] }],
    tags: TAGS,
    paths: answers.paths,
    'x-unknown-route': answers['x-unknown-route'],
    components: {
      securitySchemes: SECURITY_SCHEMES,
      parameters: { IdempotencyKey: IDEMPOTENCY_PARAMETER },
      headers: headerComponents(answers),
      responses: answers.responses,
      schemas: envelopeSchemas(SERVICE_NAMES.filter((service) => service !== 'nin-slip')),
      examples: exampleComponents(examples, answers),
    },
  };
}

/** Those of the examples that a part of the document refers to. Throws where one is missing. */
function exampleComponents(examples: Examples, users: unknown): JsonSchema {
  const references = JSON.stringify(users).matchAll(/"#\/components\/examples\/([^"]+)"/g);
  const names = [...new Set([...references].map(([, name]) => name as ExampleName))].sort();
  const entries = names.map((name) => {
    if (examples[name] === undefined)
      throw new Error(`There is no example ${name}: npm run openapi:examples`);
    return [name, { value: examples[name] }];
  });
  return Object.fromEntries(entries);
}

const INFO = {
  title: 'Identity verification',
  version: '1.0.0',
  summary: 'NIN, BVN, CAC, TIN and NUBAN verification for Nigeria.',
  description: ABOUT,
  license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
} as const;

const SECURITY_SCHEMES = {
  bearerKey: {
    type: 'http',
    scheme: 'bearer',
    description: 'Authorization: Bearer <API key>. The preferred form.',
  },
  plainKey: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description: 'Authorization: <API key>, without a scheme word. Accepted on every route too.',
  },
} as const;

function operation({ name }: { readonly name: DocumentedRoute }): JsonSchema {
  const { tag, summary, description } = OPERATIONS[name];
  const schema = bodySchema(name);
  const isPublic = !documentedCodes(name).includes('RATE_LIMITED');
  const given = parameters(name);
  return {
    operationId: name,
    tags: [tag],
    summary,
    description,
    ...(isPublic && { security: [] }),
    ...(given.length > 0 && { parameters: given }),
    ...(schema && {
      requestBody: {
        required: true,
        description:
          'At most 4,096 bytes. Fields that are not documented, and fields that stand twice, are refused.',
        content: { 'application/json': { schema, examples: bodyExamples(name) } },
      },
    }),
    responses: responses(name),
  };
}
