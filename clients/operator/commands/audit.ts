import { type Command, Option } from 'commander';
import { checkFormat, parseOrganisationId, parseTime } from '../arguments.ts';
import { commandContext } from '../command-context.ts';
import { AUDIT_FORMATS, type AuditFormat, formatAuditTrail } from '../format-audit.ts';

interface AuditOptions {
  readonly org?: string;
  readonly from?: string;
  readonly to?: string;
  readonly format: AuditFormat;
}

export function auditCommand(program: Command): void {
  program
    .command('audit')
    .description('List the changes that operators, members and functions made, newest first')
    .option(
      '--org <org>',
      'only changes to this organisation (default: to all organisations and the stage)',
      parseOrganisationId,
    )
    .option('--from <time>', 'only changes from this time on, for example 2026-11-01', parseTime)
    .option('--to <time>', 'only changes before this time', parseTime)
    .addOption(new Option('--format <format>', 'output format').choices(AUDIT_FORMATS).default('table'))
    .action(async ({ org, from, to, format }: AuditOptions, command: Command) => {
      checkFormat(format, command.optsWithGlobals<{ json?: boolean }>().json === true);
      const { operator, print } = await commandContext(command);
      const entries = await operator.auditTrail({ organisationId: org, from, to });
      if (format === 'csv') process.stdout.write(formatAuditTrail(entries, format));
      else print(entries, formatAuditTrail(entries, 'table'));
    });
}
