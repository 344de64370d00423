import { HOUR_MS } from '../../../shared/core/clock.ts';
import type { Commit, Json, JsonRow } from './evidence.ts';

/** The rows of the tables after the commits applied so far, by kind. */
export class Accounts {
  readonly #rows = new Map<string, JsonRow>();

  apply({ versions }: Commit): void {
    for (const { pk, sk, row } of versions) {
      if (row) this.#rows.set(`${pk}\n${sk}`, row);
      else this.#rows.delete(`${pk}\n${sk}`);
    }
  }

  row(pk: string, sk: string): JsonRow | undefined {
    return this.#rows.get(`${pk}\n${sk}`);
  }

  /** Returns the rows whose partition and sort keys have these prefixes. */
  all(pkPrefix: string, skPrefix: string): JsonRow[] {
    return [...this.#rows]
      .filter(([key]) => key.startsWith(pkPrefix) && (key.split('\n')[1] ?? '').startsWith(skPrefix))
      .map(([, row]) => row);
  }

  lots(wallet: string): JsonRow[] {
    return this.all(`${wallet}\n`, 'LOT#');
  }
  credits(wallet: string): JsonRow[] {
    return this.all(`${wallet}#`, 'CREDIT');
  }
  charges(wallet: string): JsonRow[] {
    return this.all(`${wallet}#`, 'CHARGE').filter((row) => text(row, 'state') === 'CHARGED');
  }
  shards(wallet: string): JsonRow[] {
    return this.all(`${wallet}#`, 'WALLET');
  }
  closings(wallet: string): JsonRow[] {
    return this.all(`${wallet}\n`, 'CLOSE#');
  }
  documents(wallet: string, kind: string): JsonRow[] {
    return this.all(`${wallet}\n`, 'DOCUMENT#').filter((row) => text(row, 'kind') === kind);
  }
  order(wallet: string, reference: string): JsonRow | undefined {
    return this.row(`${wallet.split('#')[0]}#TOPUP#${reference}`, 'ORDER');
  }
}

export function text(row: JsonRow | undefined, name: string): string {
  const value = row?.[name];
  return typeof value === 'string' ? value : '';
}

export function number(row: JsonRow | undefined, name: string): number {
  const value = row?.[name];
  return typeof value === 'number' ? value : Number.NaN;
}

export function record(row: JsonRow | undefined, name: string): JsonRow {
  const value = row?.[name];
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonRow) : {};
}

export function rows(row: JsonRow | undefined, name: string): JsonRow[] {
  const value: Json | undefined = row?.[name];
  return Array.isArray(value) ? (value as JsonRow[]) : [];
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

/** Returns the month of an ISO time in Lagos, which is one hour ahead of UTC. */
export function lagosMonth(iso: string): string {
  return new Date(Date.parse(iso) + HOUR_MS).toISOString().slice(0, 7);
}
