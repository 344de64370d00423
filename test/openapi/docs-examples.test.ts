import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { codeTable, withCodeTable } from '../../infra/openapi/code-table.ts';
import { PAGE_FILE } from '../../infra/openapi/generate.ts';
import { ROUTES } from '../../infra/routes.ts';
import { CATALOGUE } from '../../shared/core/errors.ts';
import { baseUrl, organisation } from '../support/service.ts';
import { normalised } from './normalise.ts';
import { cutTo, pageExamples } from './page-examples.ts';

/**
 * docs/api.md: each command is run as it stands, and each answer is what the page shows but for ids and times.
 * UPDATE_DOCS=1 writes the answers anew where they differ.
 */

const page = readFileSync(PAGE_FILE, 'utf8');
const examples = pageExamples(page);
const { test: key } = await organisation({ credits: 100 });
const directory = mkdtempSync(join(tmpdir(), 'api-page-'));
afterAll(() => rmSync(directory, { recursive: true }));

const answers: unknown[] = [];

/** Runs a command with the page's variables; what it prints. */
async function print(command: string, requestId: string): Promise<string> {
  const variables = { BASE_URL: baseUrl, API_KEY: key, REQUEST_ID: requestId };
  const options = { cwd: directory, env: { PATH: process.env['PATH'], ...variables } };
  return (await promisify(execFile)('bash', ['-euc', command], options)).stdout;
}

beforeAll(async () => {
  let requestId = '';
  for (const { command, shown } of examples) {
    const text = await print(command, requestId);
    const answer = shown === undefined ? undefined : JSON.parse(text);
    requestId ||= answer?.meta.request_id ?? '';
    answers.push(answer);
  }
  if (process.env['UPDATE_DOCS']) update();
}, 120_000);

/** Pictures are cut as the page cuts them. */
function compared(shown: unknown, answer: unknown): unknown {
  return normalised('docs', cutTo(shown, answer));
}

function update(): void {
  let updated = page;
  for (const [index, { shown, place }] of [...examples.entries()].reverse()) {
    if (!place) continue;
    const text = `${JSON.stringify(compared(shown, answers[index]), null, 2)}\n`;
    updated = updated.slice(0, place.start) + text + updated.slice(place.end);
  }
  writeFileSync(PAGE_FILE, updated.replace(/("confidence_score": [01])$/gm, '$1.0'));
}

describe('the answer on the page is that of the service', () => {
  const titles = examples.map(({ command }) => command.replace(/\s+/g, ' ').slice(0, 160));
  test.each(titles.map((title, index) => [index, title] as const))('%i: %s', (index) => {
    const { shown } = examples[index] ?? {};
    expect(compared(shown, answers[index])).toEqual(normalised('docs', shown));
  });
});

test('the slip that the page downloads is a PDF', () => {
  expect(readFileSync(join(directory, 'slip.pdf')).subarray(0, 5).toString()).toBe('%PDF-');
});

test('the page has a command for every route but the page that a QR code opens', () => {
  const commands = examples.map(({ command }) => command).join('\n');
  const called = ROUTES.filter(({ name }) => name !== 'slip-check');
  for (const { path } of called)
    expect(commands).toContain(`/api/v1${path.replace('{request_id}', '$REQUEST_ID')}`);
});

test('the table of codes is that of the catalogue, and names every code', () => {
  expect(withCodeTable(page)).toBe(page);
  for (const code of Object.keys(CATALOGUE)) expect(codeTable()).toContain(`\`${code}\``);
});
