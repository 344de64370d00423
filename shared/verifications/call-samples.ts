import type { IdType } from '../core/id-types.ts';
import type { SlipType } from '../core/slip-types.ts';
import { type LookUpRoute, SERVICES } from './services.ts';

/** Code samples for requests, for the OpenAPI document and the console's playground. */

export interface Call {
  readonly method: string;
  readonly path: string;
  readonly body: string | undefined;
  readonly isKeyed: boolean;
  /** Of a request that must not be carried out twice. */
  readonly idempotencyKey: string | undefined;
}

export interface LookUpArguments {
  readonly number: string;
  /** For the unified gateway only. */
  readonly idType?: IdType;
  /** For slips only. */
  readonly slipType?: SlipType;
  readonly options?: Readonly<Record<string, string | true | Readonly<Record<string, string>>>>;
}

export type ClientLanguage = 'python' | 'typescript';

/** Longer than a look-up takes (docs/guides/outages.md). */
export const TIMEOUT_S = 30;

/** Joins the lines that are not false. */
export function lines(...all: readonly (string | false)[]): string {
  return all.filter((line) => line !== false).join('\n');
}

/** Returns a key that names the record of the caller for which the request is made. */
export function idempotencyKeyOf(route: string): string {
  return `application-4711-${route}`;
}

/** Returns a curl command. */
export function curl({ path, body, isKeyed }: Call, baseUrl = '$BASE_URL'): string {
  const options = [
    ...(isKeyed ? ['-H "Authorization: Bearer $API_KEY"'] : []),
    ...(body === undefined
      ? []
      : ["-H 'Content-Type: application/json'", `-d '${body.replaceAll("'", `'\\''`)}'`]),
    ...(path.includes('/slip/') ? ['-o slip.pdf'] : []),
  ];
  return [`curl "${baseUrl}${path}"`, ...options].join(' \\\n  ');
}

/** Returns a PHP sample, which uses the variables `baseUrl` and `apiKey`. */
export function php({ path, body, idempotencyKey }: Call): string {
  return lines(
    `$curl = curl_init("$baseUrl${path}");`,
    'curl_setopt_array($curl, [',
    '    CURLOPT_RETURNTRANSFER => true,',
    `    CURLOPT_TIMEOUT => ${TIMEOUT_S},`,
    '    CURLOPT_HTTPHEADER => [',
    '        "Authorization: Bearer $apiKey",',
    body !== undefined && "        'Content-Type: application/json',",
    idempotencyKey !== undefined && `        'Idempotency-Key: ${idempotencyKey}',`,
    '    ],',
    body !== undefined && `    CURLOPT_POSTFIELDS => ${singleQuoted(body)},`,
    ']);',
    '$response = curl_exec($curl);',
  );
}

/** Returns a sample for our Python client. */
export function python(call: string, result: string): string {
  return lines(
    'from ng_identity import IdentityClient',
    '',
    'client = IdentityClient()',
    `${result} = client.${call}`,
  );
}

/** Returns a sample for our TypeScript client. */
export function typescript(call: string, result: string): string {
  return lines(
    "import { IdentityClient } from 'ng-identity';",
    '',
    'const client = new IdentityClient();',
    `const ${result} = await client.${call};`,
  );
}

/** Returns the name of the variable that holds the return value of our client's method. */
export function resultName(route: string): string {
  return route === 'nin-slip' ? 'pdf' : 'result';
}

/** Returns the call to our client's method for a look-up, without `client.`. */
export function lookUpCall(
  route: LookUpRoute,
  { number, idType = 'NIN', slipType = 'regular', options = {} }: LookUpArguments,
  language: ClientLanguage,
): string {
  const quoted = (...texts: readonly string[]) => texts.map((text) => quotedIn(language, text));
  const given = Object.entries(options).map(([name, value]) => [name, literal(language, value)] as const);
  if (route === 'verify-identity') return callOf('verify_gateway', quoted(idType, number), given, language);
  if (route === 'nin-slip') return callOf('download_slip', quoted(number, slipType), given, language);
  const { idType: type, level } = SERVICES[route];
  const advance = ['advance', language === 'python' ? 'True' : 'true'] as const;
  return callOf('verify', quoted(type, number), level === 'premium' ? [advance, ...given] : given, language);
}

function callOf(
  method: string,
  positional: readonly string[],
  options: readonly (readonly [name: string, value: string])[],
  language: ClientLanguage,
): string {
  if (language === 'python') {
    const named = options.map(([name, value]) => `${name}=${value}`);
    return `${method}(${[...positional, ...named].join(', ')})`;
  }
  const named = options.map(([name, value]) => `${camelCase(name)}: ${value}`).join(', ');
  return `${camelCase(method)}(${[...positional, ...(named ? [`{ ${named} }`] : [])].join(', ')})`;
}

const camelCase = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

function literal(language: ClientLanguage, value: string | true | Readonly<Record<string, string>>): string {
  if (value === true) return language === 'python' ? 'True' : 'true';
  if (typeof value === 'string') return quotedIn(language, value);
  const entries = Object.entries(value).map(([name, text]) => [name, quotedIn(language, text)] as const);
  if (language === 'python') return `{${entries.map(([name, text]) => `"${name}": ${text}`).join(', ')}}`;
  return `{ ${entries.map(([name, text]) => `${name}: ${text}`).join(', ')} }`;
}

/** Returns a string literal. */
function quotedIn(language: ClientLanguage, text: string): string {
  return language === 'python' ? JSON.stringify(text) : singleQuoted(text);
}

/** Returns a string literal for PHP and TypeScript. */
function singleQuoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
