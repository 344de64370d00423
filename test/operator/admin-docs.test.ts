import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import type { Command, Option } from 'commander';
import { buildProgram } from '../../clients/operator/program.ts';

/** Checks the `admin` commands in the documents against the program, and docs/operate/admin.md for completeness. */

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PAGES = globSync('{*.md,docs/{operate,operate/runbooks,finance,privacy,design}/*.md}', {
  cwd: ROOT,
}).sort();
const page = (path: string) => readFileSync(`${ROOT}/${path}`, 'utf8');

interface NamedCommand {
  readonly name: string;
  readonly command: Command;
}

/** Returns a command and all commands below it, with their full names. */
function withSubcommands(command: Command, name = ''): NamedCommand[] {
  const below = command.commands.flatMap((child) => withSubcommands(child, `${name} ${child.name()}`.trim()));
  return [{ name, command }, ...below];
}

const all = withSubcommands(buildProgram());
const runnable = all.filter(({ command }) => command.commands.length === 0);

/** Returns the arguments of every `admin` command on a page, with valid values instead of `<org>` and the like. */
function documentedCommands(path: string): string[] {
  const commands = page(path).matchAll(/npm run (?:-s )?admin -- ([^`\n]+)/g);
  return [...commands].map(([, command = '']) =>
    command
      .replaceAll(/<org(?:anisation)?>/g, 'kBDG57GjU9')
      .replaceAll(/<(?:credits|shards)>/g, '2')
      .replaceAll(/<stage>/g, 'prod')
      .replaceAll(/<email>/g, 'ada@example.com')
      .replaceAll(/<yesterday>/g, '2026-11-20')
      .replaceAll(/<[a-z_]+>/g, 'value')
      .replace(/ +[#>] .*$/, '')
      .trim(),
  );
}

const isComplete = (line: string) => /--(local|stage)\b/.test(line);
const documented = PAGES.flatMap((path) => documentedCommands(path).map((line) => ({ path, line })));

/** Parses a command line as the program does, without running the command. Throws if the program rejects it. */
function parse(line: string): void {
  const program = buildProgram();
  for (const { command } of withSubcommands(program)) {
    command.configureOutput({ writeErr: () => undefined, writeOut: () => undefined });
    if (command.commands.length === 0) command.action(() => undefined);
  }
  const words = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare = '']) => quoted ?? bare);
  program.parse(words, { from: 'user' });
}

function usage({ name, command }: NamedCommand): string {
  const words = command.registeredArguments.map((argument) => {
    const label = `${argument.name()}${argument.variadic ? '...' : ''}`;
    return argument.required ? `<${label}>` : `[${label}]`;
  });
  const flags = ({ flags: text, mandatory }: Option) => (mandatory ? text : `[${text}]`);
  return [name, ...words, ...command.options.map(flags)].join(' ');
}

describe('the documents', () => {
  test.each(documented.filter(({ line }) => isComplete(line)))('$path: admin $line', ({ line }) => {
    expect(() => parse(line)).not.toThrow();
  });

  test('name only commands that exist', () => {
    const named = documented
      .filter(({ line }) => !isComplete(line) && line !== '...')
      .map(({ line }) => line.replace(/ --help$/, ''));
    const known = new Set(all.map(({ name }) => name));
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });

  test.each([
    'org delete kBDG57GjU9',
    'org list --all',
    'key rotate kBDG57GjU9 backend --grace 90d',
    'wallet top-up kBDG57GjU9 5',
  ])('the check rejects "admin %s"', (line) => {
    expect(() => parse(line)).toThrow();
  });
});

describe('docs/operate/admin.md', () => {
  test('lists every command with its arguments, options and description', () => {
    const [, table = ''] = page('docs/operate/admin.md').split('## All commands');
    const rows = runnable.map((named) => `| \`${usage(named)}\` | ${named.command.description()} |`);
    expect(table.trim().split('\n').slice(2)).toEqual(rows);
  });

  test('shows an example of every command', () => {
    const examples = documentedCommands('docs/operate/admin.md').map((line) => ` ${line} `);
    const names = runnable.map(({ name }) => name);
    expect(names.filter((name) => !examples.some((line) => line.includes(` ${name} `)))).toEqual([]);
  });
});
