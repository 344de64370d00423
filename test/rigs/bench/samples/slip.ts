import { pathToFileURL } from 'node:url';
import { cpuMs } from '../measure.ts';

/**
 * The user processor time of importing a module and drawing its first slip, and of one of its 44th to 83rd slips.
 * Argument: file.
 */
export interface SlipSample {
  readonly coldMs: number;
  readonly warmMs: number;
  readonly bytes: number;
}

const WARM_UP = 42;
const MEASURED = 40;

const [, , file = ''] = process.argv;
const cold = process.cpuUsage();
const { draw } = (await import(pathToFileURL(file).href)) as { draw: () => Promise<Uint8Array> };
const bytes = (await draw()).length;
const coldMs = cpuMs(cold);
for (let slip = 0; slip < WARM_UP; slip += 1) await draw();
const warm = process.cpuUsage();
for (let slip = 0; slip < MEASURED; slip += 1) await draw();
const result: SlipSample = { coldMs, warmMs: cpuMs(warm) / MEASURED, bytes };
process.send?.(result, () => process.exit(0));
