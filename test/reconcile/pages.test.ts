import { readFileSync } from 'node:fs';
import { DynamoDBClient, GetItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { DIFFERENCE_KINDS } from '../../shared/ledger/reconcile/rows.ts';
import type { Item } from './exported-tables.ts';
import { exportMixedLoad } from './mixed-load.ts';

/** Checks docs/finance/settings.md, docs/finance/differences.md and docs/design/tables against the running service. */

const page = (name: string) => readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8');

let exported: Awaited<ReturnType<typeof exportMixedLoad>>;
beforeAll(async () => {
  exported = await exportMixedLoad();
});

/** Returns the arguments of a command line, without quotes. */
function argumentsOf(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare = '']) => quoted ?? bare);
}

/** Returns the options of an AWS command, under the names that the API uses. */
function inputOf(options: readonly string[]): Record<string, unknown> {
  const input: Record<string, unknown> = {};
  for (const [index, option] of options.entries()) {
    if (!option.startsWith('--')) continue;
    const name = option.slice(2).replaceAll(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());
    const value = options[index + 1];
    if (value === undefined || value.startsWith('--')) input[name] = true;
    else input[name] = value.startsWith('{') ? JSON.parse(value) : value;
  }
  return input;
}

const COMMANDS = page('finance/settings.md').match(/^aws dynamodb (?:query|get-item) .*$/gm) ?? [];

/** Replaces the example names of the page with names of this run. */
function withActualNames(command: string): string {
  const charge = exported.wallets.find(({ state }) => state === 'CHARGED');
  const names: Readonly<Record<string, unknown>> = {
    WALLETS: process.env['WALLETS_TABLE'],
    LOGS: process.env['VERIFICATION_LOGS_TABLE'],
    ORGANISATION: exported.organisationId,
    REQUEST: charge?.['requestId'],
    OPERATION: charge?.['operationId'],
    'INV-2026-0042': `test-${exported.organisationId}`,
    '2026-11': new Date().toISOString().slice(0, 7),
  };
  return Object.entries(names).reduce((text, [name, value]) => text.replaceAll(name, String(value)), command);
}

describe('the pages for finance', () => {
  test.each(COMMANDS)('%s', async (command) => {
    const [, , verb, ...options] = argumentsOf(withActualNames(command));
    const client = new DynamoDBClient({});
    const input = inputOf(options);
    if (verb === 'query') {
      const { Items = [] } = await client.send(new QueryCommand(input as never));
      expect(Items.length).toBeGreaterThan(0);
    } else expect(await client.send(new GetItemCommand(input as never))).toHaveProperty('Item.pk');
  });

  test('shows five commands and explains every kind of difference', () => {
    expect(COMMANDS).toHaveLength(5);
    const [, rules = ''] = page('finance/differences.md').split('| kind | rule |');
    const explained = [...rules.matchAll(/^\| `([a-z-]+)` \| (.+) \|$/gm)];
    expect(Object.fromEntries(explained.map(([, kind, rule]) => [kind, rule]))).toEqual(DIFFERENCE_KINDS);
  });
});

describe('docs/design/tables', () => {
  test('names every attribute of the rows that the sample requests leave in the three tables', () => {
    const names = ['tables', 'tables/api-keys', 'tables/wallets', 'tables/verification-logs'];
    const text = names.map((name) => page(`design/${name}.md`));
    const named = new Set([...text.join('').matchAll(/`([A-Za-z]+)`/g)].map(([, name]) => name));
    const used = (items: readonly Item[]) => items.flatMap((item) => Object.keys(item));
    const all = new Set([...used(exported.apiKeys), ...used(exported.wallets), ...used(exported.logs)]);
    expect([...all].filter((name) => !named.has(name))).toEqual([]);
    expect(all.size).toBeGreaterThan(40);
  });
});
