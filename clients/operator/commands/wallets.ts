import type { Command } from 'commander';
import { MAX_WALLET_SHARDS } from '../../../shared/accounts/organisation.ts';
import { ENVIRONMENTS, type Environment } from '../../../shared/core/environment.ts';
import { printable } from '../../../shared/core/printable-text.ts';
import { countArgument, environmentOption, organisationArgument } from '../arguments.ts';
import { changeContext, commandContext } from '../command-context.ts';
import { counted, table } from '../output.ts';
import { correctCommand } from './correct.ts';
import { statementCommand } from './statement.ts';
import { topUpCommand } from './top-up.ts';

/** Adds `wallet ...`. */
export function walletCommands(program: Command): void {
  const group = program.command('wallet').description('Manage prepaid credits');
  topUpCommand(group);
  correctCommand(group);
  group
    .command('balance')
    .description('Show available and held credits, and the sum of all top-ups and corrections')
    .addArgument(organisationArgument())
    .addOption(environmentOption('show only this wallet'))
    .action(async (id: string, options: { env?: Environment }, command: Command) => {
      const { operator, print } = await commandContext(command);
      const wallets = [];
      for (const env of options.env ? [options.env] : ENVIRONMENTS) {
        wallets.push({ env, ...(await operator.balance({ env, organisationId: id })) });
      }
      const lines = wallets.map(({ env, available, held, credited }) => [env, available, held, credited]);
      print({ organisation: id, wallets }, table(['ENV', 'AVAILABLE', 'HELD', 'CREDITED'], lines));
    });
  statementCommand(group);
  group
    .command('set-shards')
    .description('Raise the number of shards of both wallets, for more concurrent requests')
    .addArgument(organisationArgument())
    .addArgument(
      countArgument(
        '<shards>',
        'number of shards of each wallet, about one per 60 concurrent requests at peak',
        MAX_WALLET_SHARDS,
      ),
    )
    .action(async (id: string, count: number, _: object, command: Command) => {
      const { change, print, progress } = await changeContext(command);
      const input = { organisation: id, shards: count };
      const { name, walletShards } = await change('wallet set-shards', input, (waiting) => {
        const { waitMs } = waiting as { waitMs: number };
        progress(`New requests use the new shards. Waiting ${waitMs / 1000} s for earlier ones to end.`);
      });
      print(
        { organisation: id, walletShards },
        `Each wallet of ${printable(name)} has ${counted(walletShards, 'shard')}.`,
      );
    });
}
