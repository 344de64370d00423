import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { EXAMPLES_FILE, readExamples } from '../../infra/api-document/generate.ts';
import { CATALOGUE } from '../../shared/core/errors.ts';
import {
  apiGatewayExample,
  exampleGroup,
  exampleName,
} from '../../shared/http/api-document/example-names.ts';
import {
  API_GATEWAY_CODES,
  documentedCodes,
  ROUTE_NAMES,
  type RouteName,
  routeIdType,
  routeServices,
} from '../../shared/http/api-document/route-codes.ts';
import { answerProblems } from '../support/openapi-validation.ts';
import { type Answer, logFile } from '../support/service.ts';
import { normalised, normalisedApiGateway } from './normalise.ts';
import { provoke, provokeReading, readings, slipAnswers, unprovoked, verify } from './provoke.ts';

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

async function keepFailures(route: RouteName): Promise<void> {
  const isCharged = documentedCodes(route).includes('INSUFFICIENT_FUNDS');
  for (const code of documentedCodes(route)) {
    const name = exampleName(route, code);
    if (captured.has(name)) continue;
    captured.set(name, undefined);
    // Nothing outside the machine provokes a database that does not answer.
    const isOurs = code === 'OUTCOME_UNKNOWN' || (!isCharged && code === 'SERVER_ERROR');
    const answer = isOurs ? undefined : await (isCharged ? provoke : provokeReading)(route, code);
    if (answer) keep(name, route, answer);
    else captured.set(name, normalised(name, unprovoked(code, routeIdType(route) ?? '')));
  }
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
  const groups = Map.groupBy(ROUTE_NAMES, exampleGroup);
  // Groups do not share examples, so they can run beside each other, and wait beside each other for the time-outs.
  await Promise.all(
    [...groups.values()].map(async (routes) => {
      for (const route of routes) await keepFailures(route);
      for (const route of routes)
        for (const service of routeServices(route).filter((name) => name === route))
          keep(`${service}.${routeIdType(route)}_VERIFIED`, route, await verify(route));
    }),
  );
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
