import { setTimeout as sleep } from 'node:timers/promises';
import type { Customer } from './customers.ts';
import type { Debit, KeyUse, LenderView, LogEntry } from './explain-charges.ts';
import type { LenderFiles } from './lending.ts';

const PARALLEL_READS = 8;

/** Reads everything that the API says about the lender's charges, with the lender's API key. */
export async function readLenderView(
  baseUrl: string,
  { keys, keyLabel }: Customer,
  { sent }: LenderFiles,
): Promise<LenderView> {
  async function get<T>(path: string): Promise<T> {
    for (;;) {
      const response = await fetch(`${baseUrl}/v1/${path}`, {
        headers: { Authorization: `Bearer ${keys.get(keyLabel) ?? ''}` },
      });
      const { data } = (await response.json()) as { readonly data: T };
      if (response.status === 200) return data;
      if (response.status !== 429) throw new Error(`GET /v1/${path} returned ${response.status}.`);
      await sleep(Number(response.headers.get('retry-after')) * 1_000);
    }
  }
  async function pagesOf<T extends { readonly next_cursor: string | null }>(path: string): Promise<T[]> {
    const pages: T[] = [];
    for (let cursor: string | null = ''; cursor !== null; cursor = pages.at(-1)?.next_cursor ?? null)
      pages.push(await get<T>(`${path}?limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`));
    return pages;
  }
  interface Statement {
    readonly opening_balance: number;
    readonly closing_balance: number;
    readonly transactions: readonly (Debit & { readonly type: 'debit' | 'credit' })[];
    readonly next_cursor: string | null;
  }
  const statement = await pagesOf<Statement>('wallet/transactions');
  const log = await pagesOf<{
    readonly verifications: readonly LogEntry[];
    readonly next_cursor: string | null;
  }>('verifications');
  const uses = new Map<string, readonly KeyUse[]>();
  const unread = sent.map(({ idempotencyKey }) => idempotencyKey);
  const readUses = async () => {
    for (let key = unread.pop(); key !== undefined; key = unread.pop()) {
      const found = await get<{ readonly key_uses: readonly KeyUse[] }>(
        `verifications?idempotency_key=${key}`,
      );
      uses.set(key, found.key_uses);
    }
  };
  await Promise.all(Array.from({ length: PARALLEL_READS }, readUses));
  const { available } = await get<{ readonly available: number }>('wallet/balance');
  const lines = statement.flatMap(({ transactions }) => transactions);
  const credits = lines.filter(({ type }) => type === 'credit');
  return {
    opening: statement[0]?.opening_balance ?? 0,
    credited: credits.reduce((total, { amount }) => total + amount, 0),
    closing: statement.at(-1)?.closing_balance ?? 0,
    balance: available,
    debits: lines.filter(({ type }) => type === 'debit'),
    entries: log.flatMap(({ verifications }) => verifications),
    uses,
  };
}
