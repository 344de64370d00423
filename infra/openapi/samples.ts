import { numberFormat } from '../../shared/core/numbers.ts';
import {
  type Call,
  type ClientLanguage,
  curl,
  idempotencyKeyOf,
  lines,
  lookUpCall,
  php,
  python,
  resultName,
  TIMEOUT_S,
  typescript,
} from '../../shared/verifications/call-samples.ts';
import { SERVICES } from '../../shared/verifications/services.ts';
import { bodyExamples, hasIdempotencyKey } from './requests.ts';
import { type DocumentedRoute, hasKey, routeServices } from './route-codes.ts';

/**
 * The code samples of each operation. Python and TypeScript use our clients, which read the API key and the base URL
 * from the environment. The samples for PHP, Go and Java are fragments without imports that use the variables
 * `baseUrl` and `apiKey`, and in Java also `client`. Routes that our clients do not call, because people or monitors
 * open them, have only the curl command. Routes that customers' programs never call have no samples.
 */

/** The values of path parameters in samples. */
const PARAMETERS = {
  '{request_id}': 'req_57e94751b24b',
  '{token}': '$TOKEN',
  '{number}': 'IDV-2026-000041',
  '{reference}': 'TOPUP-01KF0ZB7M0EXAMP1E00000000V',
} as const;

/** Pages are fetched one by one. */
const ITERATED: readonly DocumentedRoute[] = [
  'wallet-transactions',
  'wallet-lots',
  'wallet-invoices',
  'verifications',
];

/** Not an interface, so that it is also a JSON value. */
export type CodeSample = Readonly<{ lang: string; label?: string; source: string }>;

/** One for each kind of request. */
const IN_EVERY_LANGUAGE: readonly DocumentedRoute[] = [
  'nin-basic',
  'nin-slip',
  'verify-identity',
  'wallet-balance',
];
/** Other requests differ only in path and body. */
const SHORT = ['Shell', 'Python', 'TypeScript'];

export function documentSamples(
  name: DocumentedRoute,
  request: Pick<Call, 'method' | 'path'>,
): readonly CodeSample[] {
  const all = codeSamples(name, request);
  return IN_EVERY_LANGUAGE.includes(name) ? all : all.filter(({ lang }) => SHORT.includes(lang));
}

/** Routes that customers' programs never call. */
const NOT_CALLED: readonly DocumentedRoute[] = ['paystack-webhook', 'payment-return', 'slip-details'];

/** For the documentation site. */
export function codeSamples(
  name: DocumentedRoute,
  { method, path }: Pick<Call, 'method' | 'path'>,
): readonly CodeSample[] {
  if (NOT_CALLED.includes(name)) return [];
  const [example] = Object.values(bodyExamples(name));
  const call: Call = {
    method,
    path: Object.entries(PARAMETERS).reduce((text, [name, value]) => text.replace(name, value), path),
    body: example && JSON.stringify(example['value']),
    isKeyed: hasKey(name),
    idempotencyKey: hasIdempotencyKey(name) ? idempotencyKeyOf(name) : undefined,
  };
  const inShell = { lang: 'Shell', label: 'curl', source: curl(call) };
  const [forPython, forTypeScript] = [clientCall(name, 'python'), clientCall(name, 'typescript')];
  if (forPython === undefined || forTypeScript === undefined) return [inShell];
  return [
    inShell,
    { lang: 'Python', source: inClient('python', name, forPython) },
    { lang: 'TypeScript', source: inClient('typescript', name, forTypeScript) },
    { lang: 'PHP', source: php(call) },
    { lang: 'Go', source: go(call) },
    { lang: 'Java', source: java(call) },
  ];
}

/** Without `client.`. Undefined for a route that our clients do not call. */
function clientCall(name: DocumentedRoute, language: ClientLanguage): string | undefined {
  const isPython = language === 'python';
  const quote = isPython ? '"' : "'";
  const quoted = (...texts: readonly string[]) => texts.map((text) => `${quote}${text}${quote}`).join(', ');
  const nin = numberFormat('NIN').example;
  switch (name) {
    case 'verify-identity':
      return lookUpCall(name, { idType: 'NIN', number: nin }, language);
    case 'nin-slip':
      return lookUpCall(name, { number: nin, slipType: 'premium' }, language);
    case 'me':
      return 'me()';
    case 'banks':
      return 'banks()';
    case 'wallet-balance':
      return 'balance()';
    case 'wallet-transactions':
      return 'transactions()';
    case 'wallet-lots':
      return 'lots()';
    case 'wallet-invoices':
      return 'invoices()';
    case 'wallet-invoice':
      return `invoice(${quoted(PARAMETERS['{number}'])})`;
    case 'start-top-up':
      return isPython ? 'start_top_up(1000)' : 'startTopUp(1000)';
    case 'top-up':
      return `${isPython ? 'top_up' : 'topUp'}(${quoted(PARAMETERS['{reference}'])})`;
    case 'verifications':
      return isPython
        ? 'verifications(reference="customer-4711")'
        : "verifications({ reference: 'customer-4711' })";
    case 'verification':
      return `verification(${quoted(PARAMETERS['{request_id}'])})`;
    default:
      return verifyCall(name, language);
  }
}

function verifyCall(name: DocumentedRoute, language: ClientLanguage): string | undefined {
  const [service] = routeServices(name);
  if (!service) return undefined;
  return lookUpCall(service, { number: numberFormat(SERVICES[service].idType).example }, language);
}

function iterated(language: ClientLanguage, call: string): string {
  const start = (language === 'python' ? python : typescript)(call, 'result').split('\n').slice(0, 3);
  const loop =
    language === 'python'
      ? `for result in client.${call}:\n    print(result)`
      : `for await (const result of client.${call}) console.log(result);`;
  return lines(...start, loop);
}

function inClient(language: ClientLanguage, name: DocumentedRoute, call: string): string {
  if (ITERATED.includes(name)) return iterated(language, call);
  return (language === 'python' ? python : typescript)(call, resultName(name));
}

function go({ method, path, body, idempotencyKey }: Call): string {
  const content = body === undefined ? 'nil' : `strings.NewReader(\`${body}\`)`;
  return lines(
    `request, err := http.NewRequest("${method}", baseUrl+"${path}", ${content})`,
    'request.Header.Set("Authorization", "Bearer "+apiKey)',
    body !== undefined && 'request.Header.Set("Content-Type", "application/json")',
    idempotencyKey !== undefined && `request.Header.Set("Idempotency-Key", "${idempotencyKey}")`,
    `client := http.Client{Timeout: ${TIMEOUT_S} * time.Second}`,
    'response, err := client.Do(request)',
  );
}

function java({ path, body, idempotencyKey }: Call): string {
  const result = path.includes('/slip/') ? 'ofByteArray' : 'ofString';
  return lines(
    `var request = HttpRequest.newBuilder(URI.create(baseUrl + "${path}"))`,
    '    .header("Authorization", "Bearer " + apiKey)',
    body !== undefined && '    .header("Content-Type", "application/json")',
    idempotencyKey !== undefined && `    .header("Idempotency-Key", "${idempotencyKey}")`,
    `    .timeout(Duration.ofSeconds(${TIMEOUT_S}))`,
    body !== undefined && `    .POST(BodyPublishers.ofString(${JSON.stringify(body)}))`,
    '    .build();',
    `var response = client.send(request, BodyHandlers.${result}());`,
  );
}
