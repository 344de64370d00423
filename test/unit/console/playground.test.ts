import { expect, test } from '@jest/globals';
import {
  bodyOf,
  CHOICES,
  ENDINGS,
  exampleOf,
  firstInput,
  typeOf,
} from '../../../clients/console/src/playground/request.ts';
import { canonicalPath } from '../../../infra/openapi/document.ts';
import { OPERATIONS } from '../../../infra/openapi/operations.ts';
import { ROUTES } from '../../../infra/routes.ts';
import { ID_TYPES } from '../../../shared/core/id-types.ts';
import { numberFormat } from '../../../shared/core/numbers.ts';
import { builtInSandbox } from '../../../shared/registries/providers/sandbox/built-in.ts';
import { endingOf, withEnding } from '../../../shared/registries/sandbox/protocol.ts';
import { testSamples } from '../../../shared/verifications/console/call-samples.ts';
import { meaningOf } from '../../../shared/verifications/console/explained-response.ts';
import { testDocumentation, testPath } from '../../../shared/verifications/console/test-routes.ts';
import { dedicatedBody, gatewayBody, slipBody } from '../../../shared/verifications/requests.ts';
import { LOOK_UP_ROUTES } from '../../../shared/verifications/services.ts';

/** The playground: the paths, pages and bodies of its requests, and its explanations of responses. */

test('each service has the path of its route and the page of its operation', () => {
  for (const name of LOOK_UP_ROUTES) {
    const route = ROUTES.find((one) => one.name === name);
    expect(testPath(name)).toBe(route && canonicalPath(route));
    expect(testDocumentation(name, 'https://docs.example.com/')).toBe(
      `https://docs.example.com/reference/${OPERATIONS[name].id}.html`,
    );
  }
});

test("the page offers every service, and makes bodies that the service's route accepts", () => {
  expect(Object.keys(CHOICES.service).sort()).toEqual([...LOOK_UP_ROUTES].sort());
  for (const service of LOOK_UP_ROUTES) {
    const input = { ...firstInput(), service, reference: 'customer-4711', consent: 'form 7' };
    for (const ending of Object.keys(ENDINGS)) {
      const number = exampleOf(typeOf(input), ending);
      const reader =
        service === 'verify-identity'
          ? gatewayBody
          : service === 'nin-slip'
            ? slipBody
            : dedicatedBody(service);
      const command = reader.read(bodyOf({ ...input, number }));
      expect(command).toMatchObject({ idType: typeOf(input), reference: 'customer-4711', consent: 'form 7' });
      expect(endingOf(command.number)).toBe(ending);
    }
  }
});

// Invented names. cspell:ignore Zikora Quddus
const CLAIMED = { firstname: 'Zikora', lastname: "O'Quddus", birthdate: '1990-02-14', phone: '08012345678' };

test('only requests for a NIN or BVN contain the details to match', () => {
  for (const service of LOOK_UP_ROUTES)
    for (const id_type of ['NIN', 'BVN', 'CAC'] as const) {
      const input = { ...firstInput(), service, id_type, ...CLAIMED, phone: '', match_only: true };
      const { phone, ...match } = CLAIMED;
      const isPerson = ['NIN', 'BVN'].includes(typeOf(input));
      const isSlip = service === 'nin-slip';
      const { match: sent, match_only } = bodyOf(input);
      expect([service, sent, match_only]).toEqual([
        service,
        isPerson ? match : undefined,
        isPerson && !isSlip ? true : undefined,
      ]);
      if (service === 'verify-identity' && isPerson)
        expect(gatewayBody.read(bodyOf({ ...input, number: exampleOf('NIN', '0001') })).match).toEqual(match);
    }
  const slip = bodyOf({ ...firstInput(), service: 'nin-slip', ...CLAIMED, match_only: true });
  expect(slipBody.read(slip)).toMatchObject({ match: CLAIMED });
  expect(bodyOf(firstInput())).toEqual({ id_number: exampleOf('NIN', '0001') });
});

test('samples contain the details to match in the form that our clients accept', () => {
  const codeIn = (language: string, body: object, route: 'nin-basic' | 'nin-slip' = 'nin-basic') =>
    testSamples(route, { id_number: '12345678901', ...body }, 'https://api.example.com').find(
      (one) => one.language === language,
    )?.code;
  const { firstname, lastname } = CLAIMED;
  const body = { match: { firstname, lastname, other: 'x', gender: 7 }, match_only: true };
  expect(codeIn('Python', body)).toContain(
    `client.verify("NIN", "12345678901", match={"firstname": "Zikora", "lastname": "O'Quddus"}, match_only=True)`,
  );
  expect(codeIn('TypeScript', body)).toContain(
    "client.verify('NIN', '12345678901', { match: { firstname: 'Zikora', lastname: 'O\\'Quddus' }, matchOnly: true });",
  );
  expect(codeIn('Python', { match: { lastname } }, 'nin-slip')).toContain(
    `client.download_slip("12345678901", "regular", match={"lastname": "O'Quddus"})`,
  );
  for (const wrong of [{ match_only: true }, { match: 'x' }, { match: null }, { match: { other: 'x' } }])
    expect(codeIn('Python', wrong)).toContain('client.verify("NIN", "12345678901")');
});

test('the ending of a number is replaced, however it is written', () => {
  for (const idType of ID_TYPES) {
    const { pattern, example } = numberFormat(idType);
    for (const number of [example, `${example} `]) {
      expect(endingOf(withEnding(number, '0404'))).toBe('0404');
      expect(withEnding(number, '0404')).toMatch(pattern);
    }
  }
  expect(withEnding('AB012345678910YZ', '0404')).toBe('AB012345670404YZ');
  expect(withEnding('RC12', '0404')).toBe('RC0404');
});

test('the explanation says whether the request was charged, and whether to repeat it', () => {
  expect(meaningOf({ code: 'NIN_VERIFIED' }, 1)).toBe(
    'The registry has a record for this number. 1 test credit was charged.',
  );
  expect(meaningOf({ code: 'NIN_NOT_FOUND' }, 0)).toMatch(/Nothing was charged\. Repeating .* does not help/);
  const wrong = { code: 'NIN_NOT_FOUND', error: { reason: 'wrong_format', field: 'id_number' } };
  expect(meaningOf(wrong, 0)).toMatch(/^id_number must be exactly 11 digits, .* Nothing was charged\./);
  const rejected = { code: 'INVALID_SCHEMA', error: { reason: 'wrong_type', field: 'consent' } };
  expect(meaningOf(rejected, 0)).toContain('Rejected field: consent. Nothing was charged.');
  expect(meaningOf({ code: 'SERVICE_UNAVAILABLE' }, 0)).toContain('Repeat the request after');
  expect(meaningOf({ code: 'OUTCOME_UNKNOWN' }, 0)).toContain('It may have been charged');
  expect(meaningOf({ code: 'INSUFFICIENT_FUNDS' }, 0)).toContain('Test credits are free');
  expect(meaningOf({ code: 'INSUFFICIENT_FUNDS', error: { reason: 'held' } }, 0)).toContain(
    'Repeat the request after',
  );
});

test('samples contain only what our clients accept, and escape quotation marks', () => {
  const body = { id_number: `1'; echo "$HOME" \\`, level: 7, other: 'x', params: ['y'] };
  const samples = testSamples('nin-basic', body, 'https://api.example.com/');
  const codeIn = (language: string) => samples.find((one) => one.language === language)?.code ?? '';
  expect(codeIn('Python')).toContain(`client.verify("NIN", "1'; echo \\"$HOME\\" \\\\")`);
  expect(codeIn('TypeScript')).toContain(`client.verify('NIN', '1\\'; echo "$HOME" \\\\')`);
  expect(codeIn('cURL')).toContain(`'{"id_number":"1'\\''; echo`);
});

test('the built-in sandbox waits at most until the deadline of the look-up', async () => {
  const pauses: number[] = [];
  const nowMs = 1_000;
  const sandbox = builtInSandbox(
    async (delayMs) => pauses.push(delayMs),
    () => nowMs,
  );
  const lookUp = (number: string, deadlineMs: number) =>
    sandbox.lookUp({ idType: 'NIN', level: 'basic', number, deadlineMs });
  expect(await lookUp('12345670299', nowMs + 20_000)).toMatchObject({ kind: 'found' });
  expect(await lookUp('12345670299', nowMs + 2_000)).toMatchObject({ kind: 'timeout' });
  expect(await lookUp('12345670504', nowMs + 20_000)).toMatchObject({ kind: 'timeout' });
  expect(await lookUp('12345670404', nowMs + 20_000)).toMatchObject({ kind: 'not-found' });
  expect(pauses).toEqual([3_000, 2_000, 20_000, 0]);
});
