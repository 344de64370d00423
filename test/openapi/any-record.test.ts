import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { RouteName } from '../../infra/openapi/route-codes.ts';
import { numberFormat } from '../../shared/core/numbers.ts';
import type { ErrorStyle } from '../../shared/http/context.ts';
import { ApiContext } from '../../shared/http/context.ts';
import type { RegistryQuery } from '../../shared/registries/port.ts';
import { readSandboxResult } from '../../shared/registries/providers/sandbox/result.ts';
import type { RegistryRouter } from '../../shared/registries/router.ts';
import { lookUpInSandbox } from '../../shared/registries/sandbox/look-up.ts';
import { matchRecord } from '../../shared/verifications/match-record.ts';
import { isPersonType } from '../../shared/verifications/match-request.ts';
import { lookUpResponse } from '../../shared/verifications/middleware/look-up-response.ts';
import { command as commandOf } from '../../shared/verifications/middleware/values.ts';
import type { Command } from '../../shared/verifications/requests.ts';
import type { VerificationResult } from '../../shared/verifications/result.ts';
import { SERVICE_NAMES, SERVICES, type ServiceName } from '../../shared/verifications/services.ts';
import { verifyIdentity } from '../../shared/verifications/verify-identity.ts';
import { responseProblems } from '../support/openapi-validation.ts';

/** Whatever a provider sends, the response matches the API document, and only a found record is charged. */

const RUNS = 150;
const SERVICES_WITH_RECORDS = SERVICE_NAMES.filter((service) => service !== 'nin-slip');
const HEADERS = {
  'X-Credits-Charged': '0',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  RateLimit: '"requests";r=19;t=1',
  'RateLimit-Policy': '"requests";q=20;w=2',
};

const oddValue = fc.oneof(
  fc.constantFrom(
    null,
    '',
    ' ',
    'N/A',
    '****',
    0,
    -1,
    1e21,
    true,
    false,
    '\u0000',
    '\ud800',
    'm\u0301'.repeat(9),
  ),
  fc.constantFrom(
    '2001-02-30',
    '31-12-1999',
    '1999-12-31T23:30:00+01:00',
    '+2348012345678',
    '100%',
    '1,000.50',
  ),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.double(),
  fc.base64String(),
  fc.jsonValue({ maxDepth: 2 }),
);

type Change = (json: unknown) => void;
type Container = Record<string, unknown>;

function containers(json: unknown): Container[] {
  if (typeof json !== 'object' || json === null) return [];
  return [json as Container, ...Object.values(json).flatMap(containers)];
}

/** Changes one field at any depth: removes it, replaces its value, or adds an unknown field. */
const change: fc.Arbitrary<Change> = fc
  .record({
    kind: fc.constantFrom('remove', 'replace', 'replace', 'add'),
    container: fc.nat(),
    field: fc.nat(),
    value: oddValue,
    name: fc.oneof(fc.string({ maxLength: 12 }), fc.constantFrom('religion', 'toString', 'photo', 'email')),
  })
  .map(({ kind, container: position, field, value, name }) => (json) => {
    const all = containers(json);
    const container = all[position % all.length];
    const names = Object.keys(container ?? {});
    const known = names[field % names.length];
    if (!container) return;
    if (kind === 'add') Object.assign(container, { [name]: value });
    else if (known !== undefined && kind === 'remove') delete container[known];
    else if (known !== undefined) container[known] = value;
  });

/** Generates a response of the sandbox registry with up to six changes, or sometimes any other JSON. */
function anyBody(service: ServiceName): fc.Arbitrary<unknown> {
  const { idType } = SERVICES[service];
  const changed = fc.array(change, { maxLength: 6 }).map((changes) => {
    const json = structuredClone(lookUpInSandbox({ idType, number: numberFormat(idType).example }).body);
    for (const apply of changes) apply(json);
    return json;
  });
  return fc.oneof({ weight: 12, arbitrary: changed }, { weight: 1, arbitrary: fc.jsonValue() });
}

/** Serialises and parses the body, as if it were sent over a network. */
function sent(body: unknown): unknown {
  return JSON.parse(JSON.stringify(body));
}

async function outcomeOf(command: Command, body: unknown): Promise<VerificationResult> {
  const lookUp = async (_: unknown, query: RegistryQuery) => ({
    result: readSandboxResult(query, sent(body)),
    provider: { name: 'sandbox', displayName: 'Sandbox' },
  });
  const request = { deadlineMs: Date.now() + 1000, requestId: 'req_0123456789ab', matchRecord };
  return verifyIdentity(command, 'test', request as never, { lookUp } as unknown as RegistryRouter);
}

function responseFor(outcome: VerificationResult, command: Command, errorStyle: ErrorStyle) {
  const requestContext = new ApiContext({
    requestId: 'req_0123456789ab',
    operationId: '01KADA3CV5Y2M2J1Q0QW5PZ7Z4',
    requestedAtMs: Date.now(),
    errorStyle,
    idType: command.idType,
    headers: { ...HEADERS, 'X-Request-Id': 'req_0123456789ab' },
  });
  commandOf.set(requestContext, command);
  const response = lookUpResponse(outcome, requestContext);
  if (!response) throw new Error('The outcome is no result of a look-up.');
  return response;
}

const rows: (readonly [string, RouteName, ServiceName, ErrorStyle, boolean])[] = [
  ...SERVICES_WITH_RECORDS.map((service) => [`${service}`, service, service, 'dedicated', false] as const),
  ...SERVICES_WITH_RECORDS.map(
    (service) => [`${service} through the gateway`, 'verify-identity', service, 'gateway', false] as const,
  ),
  ...(['nin-premium', 'bvn-premium'] as const).map(
    (service) => [`${service} with a biometric photo`, 'verify-identity', service, 'gateway', true] as const,
  ),
];

describe.each(rows)('%s', (_, route, service, errorStyle, needsPhoto) => {
  const { idType } = SERVICES[service];
  const number = numberFormat(idType).example;
  const plain: Command = { service, idType, number, numberField: 'id_number', needsPhoto };
  const match = { firstname: 'Chukwuemeka', lastname: 'Anunobi', birthdate: '23-08-1957' };
  const commands: readonly Command[] = isPersonType(idType)
    ? [plain, { ...plain, match }, { ...plain, match, isMatchOnly: true }]
    : [plain];

  test('any record produces a documented response, and only a found one is charged', async () => {
    const kinds = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...commands), anyBody(service), async (command, body) => {
        const outcome = await outcomeOf(command, body);
        kinds.set(outcome.kind, (kinds.get(outcome.kind) ?? 0) + 1);
        const { statusCode, headers = {}, body: text } = responseFor(outcome, command, errorStyle);
        expect(responseProblems(route, statusCode, headers as Record<string, string>, text)).toEqual([]);
        // Only outcomes of the kind `found` are charged.
        expect(statusCode === 200).toBe(outcome.kind === 'found');
        expect(JSON.parse(text).success).toBe(outcome.kind === 'found');
      }),
      { numRuns: RUNS },
    );
    expect(kinds.get('found')).toBeGreaterThan(0);
    expect(kinds.get('failed')).toBeGreaterThan(0);
  });
});
