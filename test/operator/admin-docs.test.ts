import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import type { Command } from 'commander';
import { buildProgram } from '../../clients/operator/program.ts';

/** Checks the `admin` commands in the documents against the program, and that an example of each is documented. */

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PAGES = globSync('{*.md,docs/{operate,finance,privacy,design}/**/*.md}', { cwd: ROOT }).sort();
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

describe('the pages for operators', () => {
  const reference = PAGES.filter((path) => path.startsWith('docs/operate/admin/commands-'));

  test('list every command, its description, its arguments and its options', () => {
    const text = reference.map(page).join('\n');
    const sections = new Map(text.split('\n### ').map((section) => [section.split('\n', 1)[0], section]));
    for (const { name, command } of runnable) {
      const section = sections.get(name) ?? '';
      expect(section).toContain(`\n${command.description()}.\n`);
      const listed = [...section.matchAll(/^\| `([^`]+)` \|/gm)].map(([, label]) => label);
      const labels = [
        ...command.registeredArguments.map((one) => one.name()),
        ...command.options.map(({ flags }) => flags),
      ];
      expect({ name, listed }).toEqual({ name, listed: labels });
    }
    expect(sections.size - reference.length).toBeLessThanOrEqual(runnable.length);
  });

  test('show an example of every command', () => {
    const examples = documented.map(({ line }) => ` ${line} `);
    const names = runnable.map(({ name }) => name);
    expect(names.filter((name) => !examples.some((line) => line.includes(` ${name} `)))).toEqual([]);
  });
});
