import assert from 'node:assert/strict';
import { join } from 'node:path';
import { mustRun, type ProgramResult, run } from '../../support/programs.ts';
import { ROOT } from './assemblies.ts';
import type { Emulator } from './emulator.ts';

/** What an operator does with the command lines, as programs of their own, as he runs them. */

const ADMIN = [join(ROOT, 'clients/operator/main.ts'), '--stage', 'prod', '--json'];

async function admin<T>({ environment }: Emulator, ...args: string[]): Promise<T> {
  const output = await mustRun(process.execPath, [...ADMIN, ...args], { cwd: ROOT, env: environment });
  return JSON.parse(output) as T;
}

export interface Books {
  readonly available: number;
  readonly closingBalance: number;
  /** Of all its credits and debits. */
  readonly references: readonly string[];
}

/** Makes an organisation with a live key and 25 credits, and returns its id. */
export async function makeOrganisation(emulator: Emulator, name: string): Promise<string> {
  const { id } = await admin<{ id: string }>(emulator, 'org', 'create', name);
  await admin(emulator, 'org', 'approve', id);
  await admin(emulator, 'service', 'enable', id, 'NIN');
  const made = await admin<object>(emulator, 'key', 'create', id, '--env', 'live', '--label', 'till');
  assert.match(JSON.stringify(made), /idv_live_/);
  await topUp(emulator, id, 25, 'first');
  return id;
}

export async function topUp(
  emulator: Emulator,
  id: string,
  credits: number,
  reference: string,
): Promise<void> {
  await admin(emulator, 'wallet', 'top-up', id, String(credits), '--reference', reference);
}

/** The live wallet of an organisation, by its balance and by its statement. */
export async function booksOf(emulator: Emulator, id: string): Promise<Books> {
  const { wallets } = await admin<{ wallets: { available: number }[] }>(
    emulator,
    ...['wallet', 'balance', id, '--env', 'live'],
  );
  const { closingBalance, lines } = await admin<{ closingBalance: number; lines: { reference: string }[] }>(
    emulator,
    ...['wallet', 'statement', id],
  );
  return {
    available: wallets[0]?.available ?? Number.NaN,
    closingBalance,
    references: lines.map(({ reference }) => reference),
  };
}

/** Ends with 1 where the books differ. */
export function reconcile({ environment }: Emulator): Promise<ProgramResult> {
  return run(process.execPath, [...ADMIN, 'reconcile'], { cwd: ROOT, env: environment });
}

/** `npm run restore`, to one instant. */
export function restore({ environment }: Emulator, instant: Date): Promise<ProgramResult> {
  const program = [
    join(ROOT, 'clients/operator/restore.ts'),
    '--stage',
    'prod',
    '--to',
    instant.toISOString(),
  ];
  return run(process.execPath, program, { cwd: ROOT, env: environment });
}
