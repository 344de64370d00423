import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { mustRun } from '../../support/programs.ts';
import type { Check, CheckContext } from './check.ts';

/** Runs Spectral, and checks the import into Postman. */

const DOCUMENT = fileURLToPath(new URL('../../../docs/openapi.json', import.meta.url));
const RULES = join(import.meta.dirname, 'spectral.yaml');

/**
 * Installs a package in the folder of the check. Its install scripts report usage to third parties, so they are not
 * run.
 */
function install(name: string): Check['download'] {
  return ({ directory }) =>
    mustRun('npm', ['install', '--ignore-scripts', '--no-save', '--prefix', directory, name]);
}

const spectral: Check = {
  name: 'Spectral (spectral:oas)',
  programs: ['npm'],
  download: install('@stoplight/spectral-cli@6.16.3'),
  async check({ directory }) {
    const program = join(directory, 'node_modules/.bin/spectral');
    const output = await mustRun(program, ['lint', '--ruleset', RULES, '--fail-severity', 'hint', DOCUMENT]);
    assert.match(output, /No results/);
  },
};

interface Item {
  readonly name: string;
  readonly item?: readonly Item[];
  readonly request?: {
    readonly method: string;
    readonly url: { readonly path: readonly string[] };
    readonly body?: { readonly raw?: string };
  };
}

interface Collection {
  readonly variable: readonly { readonly key: string; readonly value: string }[];
  readonly item: readonly Item[];
}

const postman: Check = {
  name: 'Import into Postman',
  programs: ['npm'],
  download: install('openapi-to-postmanv2@6.3.3'),
  async check(context) {
    const { directory } = context;
    const file = join(directory, 'collection.json');
    const program = join(directory, 'node_modules/.bin/openapi2postmanv2');
    const output = await mustRun(program, ['-s', DOCUMENT, '-o', file]);
    assert.match(output, /Conversion successful/);
    const { variable, item } = JSON.parse(readFileSync(file, 'utf8')) as Collection;
    assert.equal(variable.find(({ key }) => key === 'baseUrl')?.value, 'http://127.0.0.1:3000');
    const posts = requestsIn(item).filter((one) => one.request?.body?.raw !== undefined && canBeSent(one));
    assert.ok(posts.length >= 10, `Only ${posts.length} requests were imported.`);
    // The slip needs a NIN that has been verified, so it is last.
    const inOrder = posts.toSorted((a, b) => Number(isSlip(a)) - Number(isSlip(b)));
    for (const { name, request } of inOrder) await sendDefault(context, name, request);
  },
};

function requestsIn(items: readonly Item[]): Item[] {
  return items.flatMap((one) => (one.item ? requestsIn(one.item) : [one]));
}

function isSlip({ request }: Item): boolean {
  return request?.url.path.includes('slip') ?? false;
}

/** Only Paystack can sign its webhook, and only slips that were downloaded can be withdrawn. */
function canBeSent({ request }: Item): boolean {
  return !request?.url.path.some((part) => part === 'paystack' || part === 'revoke');
}

/** Sends a request as Postman shows it after the import. Throws unless the service accepts it. */
async function sendDefault(
  { baseUrl, apiKey }: CheckContext,
  name: string,
  request: Item['request'],
): Promise<void> {
  const response = await fetch(`${baseUrl}/${request?.url.path.join('/')}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
    body: request?.body?.raw ?? '',
  });
  assert.equal(response.status, 200, `${name}: the default body ${request?.body?.raw} is rejected.`);
}

export const LINTER_CHECKS: readonly Check[] = [spectral, postman];
