import { closeMonths } from '../../../../shared/payments/months/close-months.ts';
import { MonthWorld } from '../../../unit/payments/month-world.ts';
import { cpuMs } from '../measure.ts';

/**
 * Closes a month of in-memory wallets, each with one lot and three statement lines. Argument: the number of wallets.
 */

export interface ClosingSample {
  readonly cpuMs: number;
  readonly calls: number;
}

const count = Number(process.argv[2]);
const world = new MonthWorld('2026-11-02T10:00:00.000Z');
const wallets = [];
for (let index = 0; index < count; index += 1) {
  const wallet = await world.organisation(`w${String(index).padStart(9, '0')}`);
  await world.buy(wallet, 10);
  await world.verify(wallet, 1, 'nin-basic');
  await world.verify(wallet, 3, 'nin-premium');
  wallets.push(await world.scope(wallet));
}
world.at('2026-11-30T23:10:00.000Z');
let calls = 0;
world.memory.before = () => {
  calls += 1;
};
const since = process.cpuUsage();
const { closed } = await closeMonths({ month: '2026-11', wallets, actor: 'ada' }, world.deps);
const result: ClosingSample = { cpuMs: cpuMs(since), calls };
if (closed.length !== count) throw new Error(`Only ${closed.length} of ${count} wallets were closed.`);
process.send?.(result);
