import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { codeTable, withErrorTables } from '../../infra/openapi/code-table.ts';
import { PAGE_FILE } from '../../infra/openapi/generate.ts';
import { ROUTES } from '../../infra/routes.ts';
import { ALL_SCOPES } from '../../shared/accounts/key-limits.ts';
import { CATALOGUE } from '../../shared/core/errors.ts';
import { baseUrl, organisation, transferCredits } from '../support/service.ts';
import { normalised } from './normalise.ts';
import { pageExamples, shortenLike } from './page-examples.ts';

/**
 * Runs every curl command in docs/guides/api.md and compares the responses with the page, except for IDs and times.
 * UPDATE=1 writes the actual responses to the page.
 */

const page = readFileSync(PAGE_FILE, 'utf8');
const examples = pageExamples(page);
const { id, test: key } = await organisation({ credits: 100, scopes: ALL_SCOPES, hasBilling: true });
const wallet = { env: 'test', organisationId: id } as const;
const transfer = { wallet, credits: 1_000, reference: `transfer-${id}`, reason: 'Top-up by bank transfer' };
const directory = mkdtempSync(join(tmpdir(), 'api-page-'));
afterAll(() => rmSync(directory, { recursive: true }));

const responses: unknown[] = [];
let [reference, number] = ['', ''];

/** Runs a command with the page's variables. Returns its output. */
async function run(command: string, requestId: string): Promise<string> {
  const variables = {
    BASE_URL: baseUrl,
    API_KEY: key,
    REQUEST_ID: requestId,
    REFERENCE: reference,
    NUMBER: number,
  };
  const options = { cwd: directory, env: { PATH: process.env['PATH'], ...variables } };
  return (await promisify(execFile)('bash', ['-euc', command], options)).stdout;
}

beforeAll(async () => {
  let requestId = '';
  for (const { command, shown } of examples) {
    // The transfer is booked only now, because the balance and the transactions on the page show only the first
    // credits.
    if (command.includes('/top-ups/"')) number = (await transferCredits(transfer)).order.invoice ?? '';
    const text = await run(command, requestId);
    const response = shown === undefined ? undefined : JSON.parse(text);
    if (response?.code === 'WALLET_TOP_UP') reference = response.data.reference;
    requestId ||= response?.meta.request_id ?? '';
    responses.push(response);
  }
  if (process.env['UPDATE'] === '1') update();
});

/** Returns the response with fixed IDs and times, shortened where the page shortens it. */
function comparable(shown: unknown, response: unknown): unknown {
  return normalised('docs', shortenLike(shown, response));
}

function update(): void {
  let updated = page;
  for (const [index, { shown, position }] of [...examples.entries()].reverse()) {
    if (!position) continue;
    const text = `${JSON.stringify(comparable(shown, responses[index]), null, 2)}\n`;
    updated = updated.slice(0, position.start) + text + updated.slice(position.end);
  }
  writeFileSync(PAGE_FILE, updated.replace(/("(?:confidence_)?score": [01])(?=,?$)/gm, '$1.0'));
}

describe('the page shows the response of the service', () => {
  const titles = examples.map(({ command }) => command.replace(/\s+/g, ' ').slice(0, 160));
  test.each(titles.map((title, index) => [index, title] as const))('%i: %s', (index) => {
    const { shown } = examples[index] ?? {};
    expect(comparable(shown, responses[index])).toEqual(normalised('docs', shown));
  });
});

test('the download command on the page gets a PDF', () => {
  expect(readFileSync(join(directory, 'slip.pdf')).subarray(0, 5).toString()).toBe('%PDF-');
});

test('the page has a command for every route except those that only browsers and Paystack call', () => {
  const commands = examples.map(({ command }) => command).join('\n');
  const called = ROUTES.filter(
    ({ name }) => !['slip-check', 'slip-details', 'paystack-webhook', 'payment-return'].includes(name),
  );
  for (const { path } of called)
    expect(commands).toContain(
      `/api/v1${path.replace('{request_id}', '$REQUEST_ID').replace('{reference}', '$REFERENCE').replace('{number}', '$NUMBER')}`,
    );
});

test('the table of codes on the page is up to date and lists every code', () => {
  expect(withErrorTables(page)).toBe(page);
  for (const code of Object.keys(CATALOGUE)) expect(codeTable()).toContain(`\`${code}\``);
});
