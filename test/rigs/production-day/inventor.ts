import type { JsonRow } from '../../ledger/checker/evidence.ts';
import type { Happening, Line, Phase, RequestLine } from './journal.ts';

export const CUSTOMER = 'live#customer00';

type Answer = Partial<RequestLine> & Pick<RequestLine, 'wish' | 'code'>;

/** Makes up requests one after another, each with the rows that it would have left. */
export class Inventor {
  readonly lines: Line[] = [];
  readonly wallets: JsonRow[] = [];
  readonly logs: JsonRow[] = [];
  phase: Phase = 'night';
  #nowMs = Date.parse('2026-11-21T08:00:00.000Z');
  #drawn = 0;

  event(happening: Happening): void {
    this.#nowMs += 1_000;
    this.lines.push({ kind: 'event', phase: this.phase, atMs: this.#nowMs, ...happening });
    if (happening.name !== 'bought') return;
    const reference = `credit-${this.#nowMs}`;
    const { wallet, credits: amount } = happening;
    this.wallets.push({ pk: `${wallet}#${reference}`, sk: 'CREDIT', amount, reference });
  }

  /** A request that takes a second, with its rows or its kill. Its request id; empty where it was cut. */
  ask(answer: Answer): string {
    this.#drawn += 1;
    const { phase } = this;
    const isCut = answer.code === 'cut';
    const isServed = answer.code.endsWith('_VERIFIED');
    const requestId = isCut ? '' : `req_${String(this.#drawn).padStart(12, '0')}`;
    const line: RequestLine = {
      ...{ kind: 'request', phase, answeredPhase: phase, wallet: CUSTOMER, keyLabel: 'backend' },
      ...{ route: 'nin-basic', cost: 1, sentAtMs: this.#nowMs + 1_000, answeredAtMs: this.#nowMs + 2_000 },
      ...{ status: isServed ? 200 : 400, charged: isCut ? '' : '0', requestId },
      ...{ provider: isServed ? 'Dojah' : '', isReplay: false, retryAfterSeconds: null },
      ...(isServed && !answer.isReplay && { charged: '1' }),
      ...answer,
    };
    this.#nowMs += 2_000;
    this.lines.push(line);
    const { route, answeredAtMs: atMs } = line;
    if (isCut) this.lines.push({ kind: 'event', phase, atMs, name: 'kill', route, pid: this.#drawn });
    if (line.charged === '1') this.charge(requestId, line.wallet);
    return requestId;
  }

  /** The rows of a charged request. Its operation id. */
  charge(requestId: string, wallet: string): string {
    const operationId = `operation-${requestId}`;
    const charge = { state: 'CHARGED', outcome: 'FOUND', cost: 1, shard: 0, holdId: `${operationId}.0` };
    this.wallets.push({ pk: `${wallet}#${operationId}`, sk: 'CHARGE', operationId, requestId, ...charge });
    this.log(requestId, wallet, { operationId, creditsCharged: 1 });
    return operationId;
  }

  log(requestId: string, wallet: string, more: JsonRow & { readonly operationId: string }): void {
    this.logs.push({ pk: `${wallet}#tag`, sk: more.operationId, requestId, ...more });
  }
}
