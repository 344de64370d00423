import assert from 'node:assert/strict';
import { join } from 'node:path';
import { mustRun, type ProgramResult, run } from '../../support/programs.ts';
import { ROOT } from './assemblies.ts';
import type { Emulator } from './emulator.ts';

/** The operator's commands, run as programs. */

const ADMIN = [join(ROOT, 'clients/operator/main.ts'), '--stage', 'prod', '--json'];

async function admin<T>({ environment }: Emulator, ...args: string[]): Promise<T> {
  const output = await mustRun(process.execPath, [...ADMIN, ...args], { cwd: ROOT, env: environment });
  return JSON.parse(output) as T;
}

export interface WalletView {
  readonly available: number;
  readonly closingBalance: number;
  /** References of all credits and debits. */
  readonly references: readonly string[];
}

/** Creates an organisation with a live key and 25 credits. Returns its ID. */
export async function createOrganisation(emulator: Emulator, name: string): Promise<string> {
  const { id } = await admin<{ id: string }>(emulator, 'org', 'create', name);
  await admin(emulator, 'org', 'approve', id);
  await admin(emulator, 'service', 'enable', id, 'NIN');
  const created = await admin<object>(emulator, 'key', 'create', id, '--env', 'live', '--label', 'till');
  assert.match(JSON.stringify(created), /idv_live_/);
  await topUp(emulator, id, 25, `first-${id}`);
  return id;
}

export async function topUp(
  emulator: Emulator,
  id: string,
  credits: number,
  reference: string,
): Promise<void> {
  await admin(
    emulator,
    'wallet',
    'top-up',
    '--promotional',
    id,
    String(credits),
    '--reference',
    reference,
    '--yes',
  );
}

export async function viewWallet(emulator: Emulator, id: string): Promise<WalletView> {
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

/** Runs the reconciliation, which exits with 1 if it finds differences. */
export function reconcile({ environment }: Emulator): Promise<ProgramResult> {
  return run(process.execPath, [...ADMIN, 'reconcile'], { cwd: ROOT, env: environment });
}

/** Runs `npm run restore` to a point in time. */
export function restore({ environment }: Emulator, time: Date): Promise<ProgramResult> {
  const program = [join(ROOT, 'clients/operator/restore.ts'), '--stage', 'prod', '--to', time.toISOString()];
  return run(process.execPath, program, { cwd: ROOT, env: environment });
}
