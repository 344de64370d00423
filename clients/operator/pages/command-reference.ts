import type { Argument, Command, Option } from 'commander';
import { buildProgram } from '../program.ts';

/** The reference of the `admin` CLI, from the program's own help. */

interface NamedCommand {
  readonly name: string;
  readonly command: Command;
}

/** Returns the commands that can be run, with their full names, in the order of the program. */
export function runnableCommands(command: Command = buildProgram(), name = ''): NamedCommand[] {
  if (command.commands.length === 0) return [{ name, command }];
  return command.commands.flatMap((child) => runnableCommands(child, `${name} ${child.name()}`.trim()));
}

/** Returns a command line without the options that the command does not require. */
function usage({ name, command }: NamedCommand): string {
  const words = command.registeredArguments.map((argument) => {
    const label = `${argument.name()}${argument.variadic ? '...' : ''}`;
    return argument.required ? `<${label}>` : `[${label}]`;
  });
  const required = command.options.filter(({ mandatory }) => mandatory).map(({ flags }) => flags);
  return [name, ...words, ...required].join(' ');
}

function row(name: string, { description, argChoices = [], defaultValue }: Argument | Option): string {
  const choices =
    argChoices.length > 0 ? ` (one of: ${argChoices.map((one) => `\`${one}\``).join(', ')})` : '';
  const standard = typeof defaultValue === 'string' ? ` (default: \`${defaultValue}\`)` : '';
  // Angle brackets and bars outside code would be HTML and columns.
  const text = description.replaceAll(/[\w-]+:<\w+>/g, '`$&`').replaceAll('|', '\\|');
  return `| \`${name}\` | ${text}${choices}${standard} |\n`;
}

function section(named: NamedCommand): string {
  const { name, command } = named;
  const rows = [
    ...command.registeredArguments.map((argument) => row(argument.name(), argument)),
    ...command.options.map((option) => row(option.flags, option)),
  ].join('');
  const table = rows && `\n| argument or option | meaning |\n|---|---|\n${rows}`;
  return `### ${name}\n\n\`${usage(named)}\`\n\n${command.description()}.\n${table}`;
}

/** Returns the options of every command. */
export function commonOptions(): string {
  const rows = buildProgram().options.map((option) => row(option.flags, option));
  return `| option | meaning |\n|---|---|\n${rows.join('')}`;
}

/** Returns a section for each command of these groups, such as `org`. */
export function commandReference(groups: readonly string[]): string {
  const commands = runnableCommands().filter(({ name }) => groups.includes(name.split(' ')[0] ?? ''));
  return `\n${commands.map(section).join('\n')}\n`;
}
