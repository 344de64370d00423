import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { exampleRoute, readExamples } from '../../infra/openapi/examples.ts';
import { collectionText, documentText } from '../../infra/openapi/generate.ts';
import { CLOSED, FIELD_DESCRIPTIONS } from '../../infra/openapi/json-schemas.ts';
import { pythonFakeData } from '../../infra/openapi/python-fake.ts';
import { pythonModels } from '../../infra/openapi/python-models.ts';
import { RECORD_SERVICES } from '../../infra/openapi/route-codes.ts';
import { recordName, responseSchemas } from '../../infra/openapi/schemas.ts';
import { readDocument } from '../../infra/site/document.ts';
import { CATALOGUE, type ErrorCode } from '../../shared/core/errors.ts';
import { ID_TYPES } from '../../shared/core/id-types.ts';
import { PERSON_TYPES } from '../../shared/verifications/match-request.ts';
import { viewSchema } from '../../shared/verifications/views.ts';
import { bodyOf, DELIVERED_TYPES, EVENT_DATA } from '../../shared/webhooks/event-type.ts';
import { signedHeaders } from '../../shared/webhooks/signature.ts';
import { requestProblems, responseProblems } from '../support/openapi-validation.ts';

const committed = readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8');

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly object[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: object; readonly examples?: object }>>;
  };
  readonly 'x-codeSamples': readonly { readonly lang: string; readonly source: string }[];
}
interface Webhook {
  readonly parameters: readonly { readonly name: string }[];
  readonly requestBody: {
    readonly content: Readonly<Record<'application/json', { readonly schema: object }>>;
  };
}
interface Requested {
  readonly method: string;
  readonly url: { readonly path: readonly string[] };
  readonly body?: { readonly mode: string; readonly raw: string };
}
interface Response {
  readonly content?: Readonly<
    Record<string, { readonly examples?: Readonly<Record<string, { readonly value: unknown }>> }>
  >;
}
const document = JSON.parse(committed) as {
  readonly info: { readonly description: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: Webhook } | undefined>>;
  readonly components: {
    readonly responses: Readonly<Record<string, Response>>;
    readonly schemas: Readonly<Record<string, unknown>>;
  };
};

const examples = readExamples();
const ajv = new Ajv2020({ strict: false, validateSchema: false });
formats.default(ajv);
ajv.addSchema(document as object, 'openapi.json');

function gatewaySchema(idType: string): string {
  return `#/components/schemas/${idType.charAt(0)}${idType.slice(1).toLowerCase()}Response`;
}

test('docs/openapi.json is what `npm run openapi` writes', () => {
  expect(documentText() === committed).toBe(true);
});

test('the models of the Python client are what `npm run openapi` writes', () => {
  const file = new URL('../../clients/python/src/ng_identity/_models.py', import.meta.url);
  expect(pythonModels(readDocument()) === readFileSync(file, 'utf8')).toBe(true);
});

test('the data of the fake of the Python client are what `npm run openapi` writes', () => {
  const file = new URL('../../clients/python/src/ng_identity/_service_data.json', import.meta.url);
  expect(pythonFakeData() === readFileSync(file, 'utf8')).toBe(true);
});

// Without the ID types, of which the records of the gateway take 10 KB, the webhooks 13 KB, and the permission of other
// fields 3 KB. A change that needs more adds to this, and says for what.
const WITHOUT_ID_TYPES = 163_000;
test('without white space, the document is no longer than WITHOUT_ID_TYPES and 7 KB for each ID type', () => {
  const most = WITHOUT_ID_TYPES + 7_000 * ID_TYPES.length;
  expect(JSON.stringify(JSON.parse(committed)).length).toBeLessThanOrEqual(most);
});

/** Every object in the document, at any depth. */
function objectsIn(value: unknown): Readonly<Record<string, unknown>>[] {
  if (typeof value !== 'object' || value === null) return [];
  return [value as Readonly<Record<string, unknown>>, ...Object.values(value).flatMap(objectsIn)];
}

describe('generated clients can read it', () => {
  const { schemas } = document.components;
  const schemaOf = (name: string) => schemas[name] as { required: string[]; properties: object };

  test('no boolean is constant, and no time has a pattern', () => {
    const ofAll = objectsIn(schemas);
    expect(ofAll.filter((one) => typeof one['const'] === 'boolean' && 'type' in one)).toEqual([]);
    expect(ofAll.filter((one) => one['format'] === 'date-time' && 'pattern' in one)).toEqual([]);
  });

  test('every object in a response permits other fields, except one that is a number alone', () => {
    const objects = objectsIn([Object.keys(responseSchemas()).map(schemaOf), document.webhooks]);
    const closed = objects.filter((one) => 'properties' in one && one['additionalProperties'] !== true);
    expect(closed).toEqual([schemas['NinVerifiedNumber'], schemas['BvnVerifiedNumber']]);
  });

  test('a new value is no error: no response has a pattern, or a list of values that may grow', () => {
    const names = Object.keys(responseSchemas());
    const closed = objectsIn([names.map(schemaOf), document.webhooks]).flatMap((one) => {
      const fields = Object.entries((one['properties'] ?? {}) as Record<string, object>);
      return fields.filter(([, field]) => 'enum' in field || JSON.stringify(field).includes('"pattern":'));
    });
    expect([...new Set(closed.map(([name]) => name))].sort()).toEqual(CLOSED);
    expect(names.length).toBeGreaterThan(60);
  });

  test.each(RECORD_SERVICES)('every field of %s is required', (service) => {
    const fields = Object.keys(viewSchema(service).entries);
    const { required, properties } = schemaOf(recordName(service));
    expect([required, Object.keys(properties)]).toEqual([fields, fields]);
  });

  test('the response of the gateway has one schema for each ID type, which verification_type selects', () => {
    expect(schemas['IdentityResponse']).toMatchObject({
      required: expect.arrayContaining(['verification_type', 'data']),
      oneOf: ID_TYPES.map((idType) => ({ $ref: gatewaySchema(idType) })),
      discriminator: {
        propertyName: 'verification_type',
        mapping: Object.fromEntries(ID_TYPES.map((idType) => [idType, gatewaySchema(idType)])),
      },
    });
  });

  test.each(PERSON_TYPES)('a response for a %s fits exactly one alternative', (idType) => {
    const fits = (name: string, data: unknown) =>
      ajv.validate({ $ref: `openapi.json#/components/schemas/${name}` }, data);
    const name = idType === 'NIN' ? 'Nin' : 'Bvn';
    const { data: basic } = examples[`${idType.toLowerCase()}-basic.${idType}_VERIFIED`] as { data: object };
    const { data: premium } = examples[`${idType.toLowerCase()}-premium.${idType}_VERIFIED`] as {
      data: object;
    };
    const [[field, number] = ['', '']] = Object.entries(basic);
    const alone = { [field]: number };
    const fitting = [basic, premium, alone, {}].map((data) =>
      ['BasicRecord', 'PremiumRecord', 'Record', 'VerifiedNumber', 'BasicData', 'PremiumData', 'Data'].filter(
        (one) => fits(`${name}${one}`, data),
      ),
    );
    expect(fitting).toEqual([
      ['BasicRecord', 'Record', 'BasicData', 'Data'],
      ['BasicRecord', 'PremiumRecord', 'Record', 'BasicData', 'PremiumData', 'Data'],
      ['VerifiedNumber', 'BasicData', 'PremiumData', 'Data'],
      [],
    ]);
    const { tracking_id: _, watch_listed: __, ...incomplete } = premium as Record<string, unknown>;
    expect(fits(`${name}Data`, incomplete)).toBe(false);
  });
});

test('the Redocly linter reports no errors and no warnings', async () => {
  const program = fileURLToPath(new URL('../../node_modules/@redocly/cli/bin/cli.js', import.meta.url));
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const lint = promisify(execFile)(
    process.execPath,
    [program, 'lint', 'docs/openapi.json', '--format=json'],
    {
      cwd: root,
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    },
  ).catch((failure: { readonly stdout: string }) => failure);
  expect(JSON.parse((await lint).stdout).totals).toEqual({ errors: 0, warnings: 0, ignored: 0 });
});

test('every example of an error matches the schema of its response', () => {
  const ofErrors = Object.values(document.components.responses).flatMap(({ content }) =>
    Object.values(content?.['application/json']?.examples ?? {}),
  );
  expect(ofErrors.length).toBeGreaterThan(12);
  for (const { value } of ofErrors) {
    const { code, verification_type: type } = value as { code: ErrorCode; verification_type: string };
    const route = exampleRoute(code);
    if (!route) throw new Error(`No route documents ${code}.`);
    const headers = { 'Content-Type': 'application/json' };
    const problems = responseProblems(route, CATALOGUE[code].status, headers, value);
    expect([type, problems.filter((problem) => !problem.startsWith('the header '))]).toEqual([type, []]);
  }
});

test('every operation that customers call has a command, and those that the description names have samples in all languages', () => {
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  const languages = operations.map(({ operationId, 'x-codeSamples': samples }) => ({
    operationId,
    langs: samples.map(({ lang }) => lang),
  }));
  const without = languages.filter(({ langs }) => langs[0] !== 'Shell');
  expect(without).toEqual([
    { operationId: 'checkSlipDetails', langs: [] },
    { operationId: 'receivePaystackWebhook', langs: [] },
    { operationId: 'showPayment', langs: [] },
  ]);
  const inAll = languages.filter(({ langs }) => langs.length === 6).map(({ operationId }) => operationId);
  const [, named = ''] = /once for each form of request: ([^.]*)\./.exec(document.info.description) ?? [];
  expect(inAll.sort()).toEqual([...named.matchAll(/\w{4,}/g)].map(([name]) => name).sort());
});

test('each sample of a charged request has a time limit and an Idempotency-Key, as our clients do', () => {
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  const charged = operations.filter(({ parameters = [] }) =>
    JSON.stringify(parameters).includes('Idempotency'),
  );
  const samples = charged
    .flatMap((one) => one['x-codeSamples'])
    .filter(({ lang }) => /PHP|Go|Java/.test(lang));
  expect(samples.length).toBe(9);
  for (const { source } of samples)
    expect(source).toMatch(/\b30\b.*Idempotency-Key|Idempotency-Key.*\b30\b/s);
});

test('the description names each ending of the sandbox that the guide explains', () => {
  const guide = readFileSync(new URL('../../docs/guides/sandbox.md', import.meta.url), 'utf8');
  const endings = [...guide.matchAll(/\| `\d{7}(0\d{3})` \|/g)].map(([, ending = '']) => ending);
  expect(endings.length).toBeGreaterThan(10);
  expect(endings.filter((one) => !document.info.description.includes(`\`${one}\``))).toEqual([]);
});

test('every JSON body that customers send has an example', () => {
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  const contents = operations.flatMap(({ requestBody }) => requestBody?.content['application/json'] ?? []);
  const without = contents.filter(({ schema, examples: shown }) => '$ref' in schema && !shown);
  expect([contents.length > 8, without]).toEqual([true, []]);
});

test('the Postman collection has a request for each operation, and is what `npm run openapi` writes', () => {
  const file = new URL('../../docs/postman_collection.json', import.meta.url);
  expect(collectionText() === readFileSync(file, 'utf8')).toBe(true);
  const requests = objectsIn(JSON.parse(collectionText())).flatMap((one) =>
    'url' in one ? [one as unknown as Requested] : [],
  );
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`),
  );
  expect(requests.map(({ method, url }) => `${method} /${url.path.join('/')}`).sort()).toEqual(
    operations.sort(),
  );
  for (const { method, url, body } of requests) {
    if (body?.mode !== 'raw' || url.path.includes('paystack')) continue;
    const path = `${method} /${url.path.join('/')}` as const;
    expect([path, requestProblems(path as `${string} /${string}`, JSON.parse(body.raw))]).toEqual([path, []]);
  }
});

test.each(DELIVERED_TYPES)('the webhook %s has its headers and the body that is sent', (type) => {
  const [id, at, secret] = ['5f0c7a9e', '2026-11-25T09:00:00.000Z', `whsec_${btoa('secret')}`];
  const invented = ({ type: kind, options = [] }: { type: string; options?: readonly string[] }) =>
    kind === 'number' ? 1 : (options[0] ?? 'x');
  const fields = Object.entries<{ type: string }>(EVENT_DATA[type].entries);
  const data = Object.fromEntries(fields.map(([name, schema]) => [name, invented(schema)]));
  const body = bodyOf({ id, type, at, organisationId: 'org_1', env: 'live', data });
  const { parameters, requestBody } = document.webhooks[type]?.post ?? {};
  expect(parameters?.map(({ name }) => name)).toEqual(
    Object.keys(signedHeaders({ id, timestamp: 1, body }, [secret])),
  );
  const schema = requestBody?.content['application/json'].schema ?? {};
  expect(ajv.validate(schema, JSON.parse(body))).toBe(true);
  expect(ajv.validate(schema, { ...JSON.parse(body), data: {} })).toBe(false);
  expect(JSON.stringify(schema)).not.toContain('"number"');
});

test('every described field exists in a response schema', () => {
  const schemas = JSON.stringify(document.components.schemas);
  for (const field of Object.keys(FIELD_DESCRIPTIONS)) expect(schemas).toContain(`"${field}":{`);
});
