import type { JsonRow } from '../../ledger/checker/evidence.ts';
import type { Line, Phase, RequestLine, SimulationEvent } from './journal.ts';

export const CUSTOMER = 'live#customer00';

type Response = Partial<RequestLine> & Pick<RequestLine, 'idempotencyKey' | 'code'>;

/** Builds the record of a simulation without running one: requests, and the rows that each would have left. */
export class RecordBuilder {
  readonly lines: Line[] = [];
  readonly wallets: JsonRow[] = [];
  readonly logs: JsonRow[] = [];
  phase: Phase = 'night';
  #nowMs = Date.parse('2026-11-21T08:00:00.000Z');
  #count = 0;

  event(event: SimulationEvent): void {
    this.#nowMs += 1_000;
    this.lines.push({ kind: 'event', phase: this.phase, atMs: this.#nowMs, ...event });
    if (event.name !== 'topped up') return;
    const reference = `credit-${this.#nowMs}`;
    const { wallet, credits: amount } = event;
    this.wallets.push({ pk: `${wallet}#${reference}`, sk: 'CREDIT', amount, reference });
  }

  /** Adds a request that takes a second, with its rows or its kill. Returns its request ID; empty if it was cut off. */
  request(response: Response): string {
    this.#count += 1;
    const { phase } = this;
    const isCut = response.code === 'cut';
    const isServed = response.code.endsWith('_VERIFIED');
    const requestId = isCut ? '' : `req_${String(this.#count).padStart(12, '0')}`;
    const freeOrCut = isCut ? '' : '0';
    const line: RequestLine = {
      kind: 'request',
      phase,
      responsePhase: phase,
      wallet: CUSTOMER,
      keyLabel: 'backend',
      route: 'nin-basic',
      cost: 1,
      sentAtMs: this.#nowMs + 1_000,
      respondedAtMs: this.#nowMs + 2_000,
      status: isServed ? 200 : 400,
      reason: '',
      charged: isServed && !response.isReplay ? '1' : freeOrCut,
      requestId,
      provider: isServed ? 'Dojah' : '',
      isReplay: false,
      retryAfterSeconds: null,
      ...response,
    };
    this.#nowMs += 2_000;
    this.lines.push(line);
    const { route, respondedAtMs: atMs } = line;
    if (isCut) this.lines.push({ kind: 'event', phase, atMs, name: 'kill', route, pid: this.#count });
    if (line.charged === '1') this.charge(requestId, line.wallet);
    return requestId;
  }

  /** Adds the rows of a charged request, and the claim of its idempotency key. Returns its operation ID. */
  charge(requestId: string, wallet: string): string {
    const operationId = `operation-${requestId}`;
    const claim = { operationId, requestId, startedAtMs: this.#nowMs - 1_000 };
    this.wallets.push({ pk: `${wallet}#key-of-${requestId}`, sk: 'IDEMPOTENCY', ...claim });
    const at = new Date(this.#nowMs).toISOString();
    const charge = {
      ...{ state: 'CHARGED', outcome: 'FOUND', cost: 1, shard: 0, holdId: `${operationId}.0` },
      ...{ requestedAt: at, decidedAt: at },
    };
    this.wallets.push({ pk: `${wallet}#${operationId}`, sk: 'CHARGE', operationId, requestId, ...charge });
    this.log(requestId, wallet, { operationId, creditsCharged: 1 });
    return operationId;
  }

  log(requestId: string, wallet: string, more: JsonRow & { readonly operationId: string }): void {
    this.logs.push({ pk: `${wallet}#tag`, sk: more.operationId, requestId, ...more });
  }
}
