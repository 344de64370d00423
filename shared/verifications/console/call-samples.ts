import { ID_TYPES } from '../../core/id-types.ts';
import { SLIP_TYPES } from '../../core/slip-types.ts';
import {
  type ClientLanguage,
  curl,
  idempotencyKeyOf,
  type LookUpArguments,
  lines,
  lookUpCall,
  php,
  python,
  resultName,
  typescript,
} from '../call-samples.ts';
import type { ClaimedDetails } from '../match-request.ts';
import { type LookUpRoute, NUMBER_ALIASES } from '../services.ts';
import { testPath } from './test-routes.ts';
import type { TestRequestView } from './views.ts';

/**
 * Returns code that sends this request, in each language, without an API key. `apiUrl` is the address without `/v1`.
 */
export function testSamples(
  route: LookUpRoute,
  body: Readonly<Record<string, unknown>>,
  apiUrl: string,
): TestRequestView['samples'] {
  const call = {
    method: 'POST',
    path: testPath(route),
    body: JSON.stringify(body),
    isKeyed: true,
    idempotencyKey: idempotencyKeyOf(route),
  };
  const address = apiUrl.replace(/\/$/, '');
  const callIn = (language: ClientLanguage) => lookUpCall(route, argumentsOf(body), language);
  const result = resultName(route);
  const settings = `Set NG_IDENTITY_BASE_URL to ${address} and NG_IDENTITY_API_KEY to your key.`;
  return [
    { language: 'cURL', code: curl(call, address) },
    { language: 'Python', code: lines(`# ${settings}`, python(callIn('python'), result)) },
    { language: 'TypeScript', code: lines(`// ${settings}`, typescript(callIn('typescript'), result)) },
    {
      language: 'PHP',
      code: lines(`$baseUrl = '${address}';`, "$apiKey = getenv('API_KEY');", php(call)),
    },
  ];
}

const NUMBERS: readonly string[] = ['id_number', ...Object.values(NUMBER_ALIASES)];
const OPTIONS: readonly string[] = [
  'level',
  'method',
  'company_type',
  'bank_code',
  'reference',
  'consent',
  'reason',
];

const CLAIMS: readonly (keyof ClaimedDetails)[] = [
  'firstname',
  'lastname',
  'middlename',
  'birthdate',
  'gender',
  'phone',
];

/** Returns the arguments about the match: none if there are no details, because our clients require them. */
function matchOptions({ match, match_only }: Readonly<Record<string, unknown>>) {
  const sent = new Map(Object.entries(typeof match === 'object' && match !== null ? match : {}));
  const claimed = CLAIMS.flatMap((name) => {
    const value: unknown = sent.get(name);
    return typeof value === 'string' ? [[name, value] as const] : [];
  });
  if (claimed.length === 0) return {};
  return { match: Object.fromEntries(claimed), ...(match_only === true && { match_only: true as const }) };
}

/** Returns our clients' arguments for this body. */
function argumentsOf({ params, ...body }: Readonly<Record<string, unknown>>): LookUpArguments {
  const inner = typeof params === 'object' ? params : {};
  const texts = new Map(
    Object.entries({ ...body, ...inner }).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value] as const] : [],
    ),
  );
  const number = NUMBERS.map((name) => texts.get(name)).find((text) => text !== undefined) ?? '';
  const options = OPTIONS.flatMap((name) => {
    const value = texts.get(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  const idType = ID_TYPES.find((one) => one === texts.get('id_type'));
  const slipType = SLIP_TYPES.find((one) => one === texts.get('slip_type'));
  return {
    number,
    ...(idType && { idType }),
    ...(slipType && { slipType }),
    options: { ...Object.fromEntries(options), ...matchOptions(body) },
  };
}
