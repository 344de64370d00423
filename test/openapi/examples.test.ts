import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { restApisOf } from '../../infra/local/gateway/rest-body.ts';
import { readCloudAssembly } from '../../infra/local/templates/cloud-assembly.ts';
import { Deployment } from '../../infra/local/templates/template.ts';
import {
  apiGatewayExample,
  EXAMPLES_FILE,
  exampleRoute,
  readExamples,
} from '../../infra/openapi/examples.ts';
import {
  API_GATEWAY_CODES,
  documentedCodes,
  ROUTE_NAMES,
  type RouteName,
  routeIdType,
  routeServices,
} from '../../infra/openapi/route-codes.ts';
import { CATALOGUE, type ErrorCode } from '../../shared/core/errors.ts';
import { responseProblems } from '../support/openapi-validation.ts';
import { type ApiResponse, logFile } from '../support/service.ts';
import { normalised, normalisedApiGateway } from './normalise.ts';
import { actOnAll, prepare, prepareReading, readings, slipResponses, unprovoked, verify } from './provoke.ts';

/**
 * Captures the examples of the API document from the running service, or builds those that no request can provoke, and
 * compares them with the committed ones. normalise.ts first replaces values that differ from run to run, and shortens
 * pictures and lists. `npm run openapi:examples` writes the examples to the file.
 */

const captured = new Map<string, unknown>();
const problems: string[] = [];

function keep(name: string, route: RouteName, { status, headers, json, text }: ApiResponse): void {
  captured.set(name, normalised(name, json));
  problems.push(...responseProblems(route, status, headers, text).map((problem) => `${name}: ${problem}`));
  if (json?.code !== name.split('.').at(-1)) problems.push(`${name}: the code is ${json?.code}`);
}

async function keepFailure(route: RouteName, code: ErrorCode): Promise<void> {
  const isCharged = documentedCodes(route).includes('INSUFFICIENT_FUNDS');
  const attempt = await (isCharged ? prepare : prepareReading)(route, code);
  if (attempt) keep(code, route, await attempt.act());
  else captured.set(code, normalised(code, unprovoked(code, routeIdType(route) ?? '')));
}

/** Reads the responses of API Gateway from the templates, because not all of them can be provoked locally. */
function keepApiGateway(): void {
  const { api } = restApisOf(
    new Deployment(
      readCloudAssembly(join(dirname(process.env['LOCAL_SERVICE_FILE'] ?? logFile), 'cdk.out')).stacks,
    ),
  );
  for (const { responseTemplates } of Object.values(api.gatewayResponses)) {
    const envelope = normalisedApiGateway(responseTemplates['application/json'] ?? '');
    captured.set(
      apiGatewayExample((envelope as { code: (typeof API_GATEWAY_CODES)[number] }).code),
      envelope,
    );
  }
}

beforeAll(async () => {
  const failures = ROUTE_NAMES.flatMap((route) =>
    documentedCodes(route)
      .filter((code) => exampleRoute(code) === route)
      .map((code) => [route, code] as const),
  );
  await actOnAll(
    failures,
    ([, code]) => code,
    ([route, code]) => keepFailure(route, code),
  );
  for (const route of ROUTE_NAMES)
    for (const service of routeServices(route).filter((name) => name === route))
      keep(`${service}.${routeIdType(route)}_VERIFIED`, route, await verify(route));
  for (const [name, response] of Object.entries(await readings()))
    keep(name, name.split('.')[0] as RouteName, response);
  keepApiGateway();
  if (process.env['UPDATE'] === '1')
    writeFileSync(
      EXAMPLES_FILE,
      `${JSON.stringify(Object.fromEntries([...captured].sort(([a], [b]) => (a < b ? -1 : 1))), null, 2)}\n`,
    );
});

test('every provoked response matches the document', () => {
  expect(problems).toEqual([]);
});

test('slips and the check page for an invalid code match the document', async () => {
  const { slip, page } = await slipResponses();
  expect([slip.status, page.status]).toEqual([200, 404]);
  expect(responseProblems('nin-slip', slip.status, slip.headers, slip.text)).toEqual([]);
  expect(responseProblems('slip-check', page.status, page.headers, page.text)).toEqual([]);
});

test('the committed examples match the captured ones', () => {
  expect(Object.fromEntries(captured)).toEqual(readExamples());
});

test('every code in the catalogue and every code of API Gateway has an example', () => {
  const names = [...Object.keys(CATALOGUE), ...API_GATEWAY_CODES.map(apiGatewayExample)];
  for (const name of names)
    expect(captured.get(name)).toMatchObject({ success: false, code: name.split('.').at(-1) });
});

test('the stacks configure exactly the documented codes in API Gateway', () => {
  const names = [...captured.keys()].filter((name) => name.startsWith('api-gateway.'));
  expect(names.sort()).toEqual(API_GATEWAY_CODES.map(apiGatewayExample).sort());
});

test('every code in the catalogue is documented for some route', () => {
  const documented = new Set<string>(ROUTE_NAMES.flatMap(documentedCodes));
  expect([...documented].sort()).toEqual(Object.keys(CATALOGUE).sort());
});
