import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { apiGatewayExample, exampleName } from '../../infra/openapi/example-names.ts';
import { EXAMPLES_FILE, readExamples } from '../../infra/openapi/generate.ts';
import {
  API_GATEWAY_CODES,
  documentedCodes,
  ROUTE_NAMES,
  type RouteName,
  routeIdType,
  routeServices,
} from '../../infra/openapi/route-codes.ts';
import { CATALOGUE, type ErrorCode, ServiceError } from '../../shared/core/errors.ts';
import { DATABASE_SILENT } from '../../shared/http/routes/health.ts';
import { answerProblems } from '../support/openapi-validation.ts';
import { type Answer, logFile } from '../support/service.ts';
import { normalised, normalisedApiGateway } from './normalise.ts';
import { actOnAll, prepare, prepareReading, readings, slipAnswers, unprovoked, verify } from './provoke.ts';

/**
 * The document's examples are what the service answers: each is provoked over HTTP, and must be the committed one but
 * for ids, times and long pictures. `npm run openapi:examples` writes them anew.
 */

const captured = new Map<string, unknown>();
const problems: string[] = [];

function keep(name: string, route: RouteName, { status, headers, json, text }: Answer): void {
  captured.set(name, normalised(name, json));
  problems.push(...answerProblems(route, status, headers, text).map((problem) => `${name}: ${problem}`));
  if (json?.code !== name.split('.')[1]) problems.push(`${name}: the code is ${json?.code}`);
}

/** The failures of one route that no other route of its group has shown yet. */
function failuresOf(route: RouteName, shown: Set<string>): ErrorCode[] {
  const codes = documentedCodes(route).filter((code) => !shown.has(exampleName(route, code)));
  for (const code of codes) shown.add(exampleName(route, code));
  return codes;
}

/** The words of a database that does not answer; undefined for the catalogue's own. */
function wordsOf(route: RouteName, code: ErrorCode) {
  if (route !== 'health' || code !== 'SERVICE_UNAVAILABLE') return undefined;
  return new ServiceError(code, { message: DATABASE_SILENT });
}

async function keepFailure(route: RouteName, code: ErrorCode): Promise<void> {
  const name = exampleName(route, code);
  const isCharged = documentedCodes(route).includes('INSUFFICIENT_FUNDS');
  const attempt = await (isCharged ? prepare : prepareReading)(route, code);
  if (attempt) keep(name, route, await attempt.act());
  else captured.set(name, normalised(name, unprovoked(code, routeIdType(route) ?? '', wordsOf(route, code))));
}

interface TemplateResource {
  readonly Type: string;
  readonly Properties: { readonly ResponseTemplates: Readonly<Record<string, string>> };
}

/** From the stacks themselves: what API Gateway answers by itself cannot all be provoked here. */
function keepApiGateway(): void {
  const directory = join(dirname(logFile), 'cdk.out');
  for (const file of readdirSync(directory).filter((name) => name.endsWith('.template.json'))) {
    const { Resources = {} } = JSON.parse(readFileSync(join(directory, file), 'utf8'));
    for (const { Type, Properties } of Object.values<TemplateResource>(Resources)) {
      if (Type !== 'AWS::ApiGateway::GatewayResponse') continue;
      const envelope = normalisedApiGateway(Properties.ResponseTemplates['application/json'] ?? '');
      captured.set(
        apiGatewayExample((envelope as { code: (typeof API_GATEWAY_CODES)[number] }).code),
        envelope,
      );
    }
  }
}

beforeAll(async () => {
  const shown = new Set<string>();
  const failures = ROUTE_NAMES.flatMap((route) =>
    failuresOf(route, shown).map((code) => [route, code] as const),
  );
  await actOnAll(
    failures,
    ([, code]) => code,
    ([route, code]) => keepFailure(route, code),
  );
  for (const route of ROUTE_NAMES)
    for (const service of routeServices(route).filter((name) => name === route))
      keep(`${service}.${routeIdType(route)}_VERIFIED`, route, await verify(route));
  for (const [name, answer] of Object.entries(await readings()))
    keep(name, name.split('.')[0] as RouteName, answer);
  keepApiGateway();
  if (process.env['UPDATE_EXAMPLES'])
    writeFileSync(
      EXAMPLES_FILE,
      `${JSON.stringify(Object.fromEntries([...captured].sort(([a], [b]) => (a < b ? -1 : 1))), null, 2)}\n`,
    );
}, 180_000);

test('every answer that was provoked is as documented', () => {
  expect(problems).toEqual([]);
});

test('slips and the page of a wrong code are as documented', async () => {
  const { slip, page } = await slipAnswers();
  expect([slip.status, page.status]).toEqual([200, 404]);
  expect(answerProblems('nin-slip', slip.status, slip.headers, slip.text)).toEqual([]);
  expect(answerProblems('slip-check', page.status, page.headers, page.text)).toEqual([]);
});

test('every example is what the service answers', () => {
  expect(Object.fromEntries(captured)).toEqual(readExamples());
});

test('every code that a route documents has an example', () => {
  const names = ROUTE_NAMES.flatMap((route) =>
    documentedCodes(route).map((code) => exampleName(route, code)),
  );
  for (const name of [...names, ...API_GATEWAY_CODES.map(apiGatewayExample)])
    expect(captured.get(name)).toMatchObject({ success: false, code: name.split('.')[1] });
});

test('the stacks give API Gateway exactly the documented codes', () => {
  const names = [...captured.keys()].filter((name) => name.startsWith('api-gateway.'));
  expect(names.sort()).toEqual(API_GATEWAY_CODES.map(apiGatewayExample).sort());
});

test('every code of the catalogue can be answered by some route', () => {
  const documented = new Set<string>(ROUTE_NAMES.flatMap(documentedCodes));
  expect([...documented].sort()).toEqual(Object.keys(CATALOGUE).sort());
});
