import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { bankDifferences } from './bank-differences.ts';
import { ignoreClosedPipes } from './closed-pipe.ts';
import { counted, table } from './output.ts';
import { runProgram } from './run-program.ts';

/** Started with `npm run banks:compare FILE`. The list is in shared/registries/mapping/bank-rows.ts. */

const DESCRIPTION = `Compare the service's list of banks with a list in Paystack's format.

To get Paystack's list:
  curl -H "Authorization: Bearer $PAYSTACK_KEY" \\
    'https://api.paystack.co/bank?country=nigeria&perPage=100' > banks.json`;

const EXIT_CODES = `
Exit codes:
  0  the lists have the same live codes
  1  they differ, or the file cannot be read`;

const program = new Command('banks:compare')
  .description(DESCRIPTION)
  .argument('<file>', 'a response of Paystack, or only its list')
  .addHelpText('after', EXIT_CODES)
  .action((file: string) => {
    const { added, closed, gone } = bankDifferences(readFileSync(file, 'utf8'));
    const print = (title: string, banks: typeof added) => {
      const rows = banks.map(({ code, name }) => [code, name]);
      process.stdout.write(`${title}: ${counted(rows.length, 'bank')}\n`);
      if (rows.length > 0) process.stdout.write(`${table(['CODE', 'NAME'], rows)}\n`);
      process.stdout.write('\n');
    };
    print('Live in the file, and not in our list', added);
    print('In our list, and closed in the file', closed);
    print('In our list, and not in the file', gone);
    if (added.length + closed.length + gone.length > 0) process.exitCode = 1;
  });

ignoreClosedPipes();
await runProgram(program, process.argv.slice(2));
