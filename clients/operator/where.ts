import { GetFunctionCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { Command, InvalidArgumentError, Option } from 'commander';
import type { Stage } from '../../infra/config.ts';
import { functionNameOf } from '../../infra/constructs/physical-names.ts';
import { accessStage } from './aws-profile.ts';
import { ignoreClosedPipes } from './closed-pipe.ts';
import { runProgram } from './run-program.ts';
import { type Position, sourceOfPosition } from './source-of-position.ts';

/** The `where` CLI, started with `npm run where -- nin-basic 12 1:7965`. */

const DESCRIPTION = `Print the file and line of our code for a position in a bundle.

The service's own log lines already name them. Lambda's lines, for example
after a crash, have a position such as index.cjs:1:7965. The list of lines
is read from the code of the version, which Lambda keeps.`;

const program = new Command('where')
  .description(DESCRIPTION)
  .argument('<function>', 'the name without the prefix of the stage, for example nin-basic')
  .argument('<version>', 'the version that wrote the line, or $LATEST')
  .argument('<line:column>', 'the position in index.cjs', parsePosition)
  .addOption(new Option('--stage <stage>').choices(['dev', 'staging', 'prod']).default('prod'))
  .action(async (name: string, version: string, at: Position, { stage }: { stage: Stage }) => {
    const { region } = await accessStage(stage);
    const client = new LambdaClient({ region });
    const FunctionName = functionNameOf(stage, name);
    const found = await client.send(new GetFunctionCommand({ FunctionName, Qualifier: version }));
    const response = await fetch(found.Code?.Location ?? '');
    if (!response.ok) throw new Error(`The code of ${FunctionName}:${version} could not be read.`);
    const code = Buffer.from(await response.arrayBuffer());
    process.stdout.write(`${sourceOfPosition(code, at)}\n`);
  });

function parsePosition(text: string): Position {
  const [, row, column] = /^(?:.*index\.cjs:)?(\d+):(\d+)$/.exec(text) ?? [];
  if (!row || !column) throw new InvalidArgumentError('Use line:column, for example 1:7965.');
  return { row: Number(row), column: Number(column) };
}

ignoreClosedPipes();
await runProgram(program, process.argv.slice(2));
