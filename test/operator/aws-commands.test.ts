import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { buildProgram } from '../../clients/operator/preflight/program.ts';

/**
 * Checks the commands in the documents: `aws` commands against the models in the SDK clients, and our own commands
 * against the programs. `admin` commands have their own test (admin-docs.test.ts).
 */

const PAGES = globSync(['README.md', 'CONTRIBUTING.md', 'docs/**/*.md']).sort();
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };

/** The SDK client for each AWS CLI service that this test checks. Commands of other services were checked by hand. */
const CLIENTS: Readonly<Record<string, string>> = {
  acm: 'acm',
  apigateway: 'api-gateway',
  cloudformation: 'cloudformation',
  iam: 'iam',
  lambda: 'lambda',
  logs: 'cloudwatch-logs',
  kms: 'kms',
  secretsmanager: 'secrets-manager',
  'service-quotas': 'service-quotas',
  sns: 'sns',
  sqs: 'sqs',
  sts: 'sts',
  xray: 'xray',
  dynamodb: 'dynamodb',
};
/** Options of the AWS CLI itself, and those that it adds to an operation or renames. */
const CLI_OPTIONS = new Set(['region', 'query', 'output', 'profile', 'no-cli-pager']);
const OF_THE_CLI: Readonly<Record<string, readonly string[]>> = {
  'iam create-virtual-mfa-device': ['outfile', 'bootstrap-method'],
  'sns subscribe': ['notification-endpoint'],
};

/**
 * Returns the commands on a page, in code blocks and in code font. Lines that end in a backslash continue on the next
 * line.
 */
function commandsOn(page: string, start: RegExp): string[] {
  const text = readFileSync(page, 'utf8').replaceAll(/ \\\n\s*/g, ' ');
  const blocks = [...text.matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, block = '']) => block.split('\n'));
  const spans = [...text.replaceAll(/```[\s\S]*?```/g, '').matchAll(/`([^`\n]+)`/g)].map(
    ([, span = '']) => span,
  );
  return [...blocks, ...spans]
    .map((line) => line.replace(/ +# .*$/, '').trim())
    .filter((line) => start.test(line));
}

const pascal = (name: string) =>
  name.replaceAll(/(?:^|-)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** Returns what is wrong with an `aws` command, or undefined if nothing is known to be wrong. */
async function problemOf(command: string): Promise<string | undefined> {
  const [, service = '', operation = ''] = /^aws ([a-z0-9-]+) ([a-z0-9-]+)/.exec(command) ?? [];
  const client = CLIENTS[service];
  if (!client) return undefined;
  const sdk = (await import(`@aws-sdk/client-${client}`)) as Record<string, unknown>;
  const model = sdk[`${pascal(operation)}$`] ?? sdk[`${pascal(operation).replace(/Mfa/, 'MFA')}$`];
  if (!Array.isArray(model)) return `${service} has no operation ${operation}`;
  const [, , , , input] = model as unknown[];
  const [, , , , members] = (typeof input === 'function' ? input() : input) as unknown[];
  const known = new Set((members as readonly string[]).map((name) => name.toLowerCase()));
  const options = [...command.replaceAll(/'[^']*'|"[^"]*"/g, '').matchAll(/ --([a-z0-9-]+)/g)].map(
    ([, option = '']) => option,
  );
  const unknown = options
    .filter((option) => !CLI_OPTIONS.has(option) && !OF_THE_CLI[`${service} ${operation}`]?.includes(option))
    .filter(
      (option) =>
        !known.has(option.replaceAll('-', '')) && !known.has(option.replace(/^no-/, '').replaceAll('-', '')),
    );
  return unknown.length > 0 ? `${service} ${operation} has no option ${unknown.join(', ')}` : undefined;
}

const AWS = PAGES.flatMap((page) => commandsOn(page, /^aws [a-z]/).map((command) => ({ page, command })));

describe('an aws command in a document exists with its options', () => {
  test.each(AWS)('$page: $command', async ({ command }) => {
    expect(await problemOf(command)).toBeUndefined();
  });

  test.each([
    ['aws acm describe-certificates --certificate-arn x', 'acm has no operation describe-certificates'],
    ['aws acm describe-certificate --arn x', 'acm describe-certificate has no option arn'],
  ])('the check rejects %s', async (command, problem) => {
    expect(await problemOf(command)).toBe(problem);
  });
});

describe('a command of this project in a document exists', () => {
  const ours = PAGES.flatMap((page) =>
    commandsOn(page, /^npm (run|test|start|ci)\b/).map((command) => ({ page, command })),
  );

  test('as a script in package.json', () => {
    const named = ours.map(({ command }) => /^npm run (?:-s )?([\w:-]+)/.exec(command)?.[1]);
    const missing = named.filter((name) => name !== undefined && !Object.hasOwn(scripts, name));
    expect(missing).toEqual([]);
  });

  test.each(ours.filter(({ command }) => command.startsWith('npm run preflight --')))(
    '$page: $command',
    ({ command }) => {
      const words = command.replace('npm run preflight -- ', '').split(' ');
      const program = buildProgram(async () => undefined).configureOutput({ writeErr: () => undefined });
      expect(() => program.parse(words, { from: 'user' })).not.toThrow();
    },
  );
});

test('docs/operate/first-deployment.md, from an empty account to a live verification, has at most 20 lines', () => {
  const lines = readFileSync('docs/operate/first-deployment.md', 'utf8').trimEnd().split('\n');
  expect(lines.length).toBeLessThanOrEqual(20);
});
