import { execFile } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from '@jest/globals';
import { codeTable } from '../../infra/openapi/code-table.ts';
import { ROOT } from '../../infra/site/pages.ts';
import { ALL_SCOPES } from '../../shared/accounts/key-limits.ts';
import { CATALOGUE } from '../../shared/core/errors.ts';
import { normalised } from '../openapi/normalise.ts';
import { pageExamples, shortenLike } from '../openapi/page-examples.ts';
import { baseUrl, organisation } from '../support/service.ts';

/** Runs every command of the guides against the sandbox, and compares the responses with those on the page. */

const { test: key } = await organisation({ credits: 100, scopes: ALL_SCOPES, hasBilling: true });
const directory = mkdtempSync(join(tmpdir(), 'guides-'));
afterAll(() => rmSync(directory, { recursive: true }));

async function output(command: string): Promise<string> {
  const env = { PATH: process.env['PATH'], BASE_URL: baseUrl, API_KEY: key };
  return (await promisify(execFile)('bash', ['-euc', command], { env, cwd: directory })).stdout;
}

const run = async (command: string): Promise<unknown> => JSON.parse(await output(command));

const guides = globSync('docs/guides/*.md', { cwd: ROOT }).sort();
const examples = guides.flatMap((guide) =>
  pageExamples(readFileSync(join(ROOT, guide), 'utf8')).map((example) => ({ guide, ...example })),
);

/** Each command runs alone, with only the two variables that the guides set at the beginning. */
describe('the guide shows the response of the service:', () => {
  test.each(examples.filter(({ shown }) => shown !== undefined))(
    '$guide: $command',
    async ({ command, shown }) => {
      const response = await run(command);
      expect(normalised('docs', shortenLike(shown, response))).toEqual(normalised('docs', shown));
    },
  );

  test('15 guides have commands', () => {
    expect(new Set(examples.map(({ guide }) => guide)).size).toBe(15);
  });
});

describe('a command without a response on the page works:', () => {
  test.each(examples.filter(({ shown }) => shown === undefined))('$guide: $command', async ({ command }) => {
    const text = await output(command);
    if (command.includes('slip.pdf'))
      expect(readFileSync(join(directory, 'slip.pdf')).subarray(0, 5).toString()).toBe('%PDF-');
    else
      for (const page of text.trim().split('\n')) expect(JSON.parse(page)).toMatchObject({ success: true });
  });
});

test('the table of codes lists every code', () => {
  for (const code of Object.keys(CATALOGUE)) expect(codeTable()).toContain(`<a id="${code}"></a>\`${code}\``);
});

test('the quick start shows the response to its curl sample', async () => {
  const page = readFileSync(join(ROOT, 'docs/guides/quick-start.md'), 'utf8');
  const [, command = '', json = ''] =
    /```shell\n([\s\S]*?)```[\s\S]*?```json\n([\s\S]*?)```/.exec(page) ?? [];
  const shown: unknown = JSON.parse(json);
  expect(normalised('docs', shortenLike(shown, await run(command)))).toEqual(normalised('docs', shown));
});

test('the service returns the outcomes in the table of the sandbox guide', async () => {
  const page = readFileSync(join(ROOT, 'docs/guides/sandbox.md'), 'utf8');
  const rows = [...page.matchAll(/^\| [^|]+ \| `(\d{11})` \| (\d{3})(?: `([A-Z_]+)`)?/gm)];
  // A look-up of the number for which the registry does not respond takes 20 s.
  const quick = rows.filter(([, number]) => !number?.endsWith('0504'));
  expect(quick).toHaveLength(12);
  for (const [, number, status, code = 'NIN_VERIFIED'] of quick) {
    const response = await fetch(`${baseUrl}/api/v1/ng/nin-basic/`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ id_number: number }),
    });
    const { code: actual } = (await response.json()) as { code: string };
    expect({ number, status: String(response.status), code: actual }).toEqual({ number, status, code });
  }
});
