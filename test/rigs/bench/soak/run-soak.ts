import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from '../../../../shared/core/database.ts';
import type { ClientCall } from '../../../ledger/checker/evidence.ts';
import type { ExportedRows } from '../../../ledger/checker/snapshot.ts';
import { type Random, seededRandom } from '../../../ledger/simulation/random.ts';
import { exportRows } from '../../../support/exported-rows.ts';
import {
  type ApiResponse,
  control,
  organisation,
  post,
  type TestOrganisation,
} from '../../../support/service.ts';
import { LANES, OTHERS, patientWish, type Route, type Wish, wishes } from './wishes.ts';

/**
 * Mixed requests on the running service, whose processes are killed with SIGKILL while they work; then what any
 * client does (the same key again), and the sweeper's work. What came of it is evidence for the ledger's checker.
 */
export interface SoakOrder {
  /** Requests that the clients send at least. */
  readonly requests: number;
  /** Requests that a kill must have cut off at least. */
  readonly cuts: number;
  readonly seed: number;
}

export interface Soak {
  readonly organisations: readonly TestOrganisation[];
  readonly calls: readonly ClientCall[];
  /** Answers by their code; `cut` are those whose process was killed. */
  readonly answers: ReadonlyMap<string, number>;
  readonly sent: number;
  readonly kills: number;
  readonly cuts: number;
  /** How each cut request with a key ended after the same key was sent again. */
  readonly repeated: ReadonlyMap<string, number>;
  /** The rows once everything is over. */
  readonly rows: ExportedRows;
}

/** Clients of the functions that nobody kills. */
const OTHER_CLIENTS = 8;
const PATIENT = 2;
/** After so long a hold, or a key that was claimed without one, may be decided by others. */
const UNDECIDED_MS = 40_500;
/** One in ten of them ends without a record. */
const REQUESTS_OF_A_CUSTOMER = 350;
const PRICES: Readonly<Record<string, number>> = { 'nin-premium': 3, 'tin-basic': 2 };

export async function runSoak(order: SoakOrder): Promise<Soak> {
  const organisations = [
    ...(await customers(Math.ceil(order.requests / REQUESTS_OF_A_CUSTOMER))),
    await organisation({ credits: 1_000_000, prices: PRICES, walletShards: 4 }),
    await organisation({ credits: 5, prices: PRICES, walletShards: 2 }),
  ];
  const clients = new Clients(organisations);
  const isOver = () => clients.sent >= order.requests && clients.cuts >= order.cuts;
  const lanes = LANES.map((route, place) => {
    const source = wishes(order.seed + place, [route], organisations.length);
    const lane = new Lane(route, clients, seededRandom(order.seed + place));
    return { lane, source };
  });
  const killing = lanes.map(async ({ lane, source }) => {
    while (!isOver()) await lane.fulfil(source.next().value, clients.cuts < order.cuts);
  });
  const source = wishes(order.seed + LANES.length, OTHERS, organisations.length);
  const others = Array.from({ length: OTHER_CLIENTS }, async () => {
    while (clients.sent < order.requests) await clients.fulfil(source.next().value);
  });
  await Promise.all([...killing, ...others]);

  const patient = Array.from({ length: PATIENT }, (_, place) =>
    clients.fulfil(patientWish(order.seed, place)),
  );
  await Promise.all([...patient, sleep(UNDECIDED_MS)]);
  await control.runSchedule('sweep-holds');
  const repeated = await clients.sendUnsureAgain();
  await control.runSchedule('sweep-holds');
  const rows = await exportRows(connect(), tableNames(), new Set(organisations.map(({ id }) => id)));
  const { calls, answers, sent, cuts } = clients;
  const kills = lanes.reduce((sum, { lane }) => sum + lane.kills, 0);
  return { organisations, calls, answers, sent, kills, cuts, repeated, rows };
}

/** As many as it takes: a key that meets more than 60 numbers without a record in 10 minutes is slowed down. */
function customers(count: number): Promise<TestOrganisation[]> {
  const story = { name: 'Plenty', credits: 1_000_000, prices: PRICES };
  return Promise.all(Array.from({ length: count }, () => organisation(story)));
}

function tableNames() {
  const { WALLETS_TABLE: wallets = '', VERIFICATION_LOGS_TABLE: logs = '' } = process.env;
  return { wallets, logs };
}

/**
 * One client that has a function for itself, and kills the process that serves it, at an instant drawn from the
 * time that a request takes. A process that has just started is spared: it is busy for long before it reads anything.
 */
class Lane {
  kills = 0;
  readonly #route: Route;
  readonly #clients: Clients;
  readonly #random: Random;
  #cutsSeen = 0;
  #calm = 0;

  constructor(route: Route, clients: Clients, random: Random) {
    this.#route = route;
    this.#clients = clients;
    this.#random = random;
  }

  async fulfil(wish: Wish, mayKill: boolean): Promise<void> {
    const fulfilling = this.#clients.fulfil(wish);
    if (mayKill && this.#calm >= CALM) await this.#kill();
    await fulfilling;
    this.#calm = this.#clients.cutsOf(this.#route.path) > this.#cutsSeen ? 0 : this.#calm + 1;
    this.#cutsSeen = this.#clients.cutsOf(this.#route.path);
  }

  async #kill(): Promise<void> {
    await sleep(this.#random.next() * 1.1 * this.#clients.lastMsOf(this.#route.path));
    const instances = await control.instances();
    const victim = instances.find((one) => one.busy && one.function === this.#route.functionName);
    if (victim && (await control.kill(victim.pid))) this.kills += 1;
  }
}

/** Requests that a new process answers before it may be killed. */
const CALM = 1;

class Clients {
  readonly calls: ClientCall[] = [];
  readonly answers = new Map<string, number>();
  sent = 0;
  cuts = 0;
  readonly #cutsOf = new Map<string, number>();
  readonly #lastMs = new Map<string, number>();
  readonly #organisations: readonly TestOrganisation[];
  /** Those with a key that do not know yet what became of them. */
  readonly #unsure: Wish[] = [];

  constructor(organisations: readonly TestOrganisation[]) {
    this.#organisations = organisations;
  }

  /** Requests to a path that were cut so far. */
  cutsOf(path: string): number {
    return this.#cutsOf.get(path) ?? 0;
  }

  /** How long the last whole request to a path took. */
  lastMsOf(path: string): number {
    return this.#lastMs.get(path) ?? 0;
  }

  /** Sends a wish as its client would: again after data where it repeats, and again at once after a cut. */
  async fulfil(wish: Wish): Promise<void> {
    for (let repeats = 0; repeats <= wish.repeats; repeats += 1) {
      const first = await this.#send(wish);
      const answer = isCut(first) && wish.key ? await this.#send(wish) : first;
      if (wish.key && isUnsure(answer)) this.#unsure.push(wish);
      if (answer.status !== 200 || !wish.key) return;
    }
  }

  /** All that a client need know: send the same key again. Counts the codes of the last answers. */
  async sendUnsureAgain(): Promise<ReadonlyMap<string, number>> {
    const ends = new Map<string, number>();
    for (const wish of this.#unsure) count(ends, codeOf(await this.#send(wish)));
    return ends;
  }

  async #send({ organisation: place, path, body, service, key }: Wish): Promise<ApiResponse> {
    const { id = '', live } = this.#organisations[place] ?? {};
    const sentAtMs = Date.now();
    this.sent += 1;
    const headers = key ? { 'Idempotency-Key': key } : {};
    const answer = await post(path, body, { key: live, headers });
    this.#note(path, answer, Date.now() - sentAtMs);
    const call: ClientCall = {
      requestId: answer.json?.meta.request_id ?? '',
      wallet: `live#${id}`,
      key: key ?? '',
      body: JSON.stringify(body),
      cost: PRICES[service] ?? 1,
      shards: 1,
      sentAtMs,
      sentAfter: 0,
    };
    if (!isCut(answer)) call.response = clientResponse(answer);
    this.calls.push(call);
    return answer;
  }

  #note(path: string, answer: ApiResponse, tookMs: number): void {
    count(this.answers, codeOf(answer));
    if (!isCut(answer)) this.#lastMs.set(path, tookMs);
    else {
      this.cuts += 1;
      count(this.#cutsOf, path);
    }
  }
}

/** The gateway's own answer for a process that died: it has no time. */
function isCut({ status, json }: ApiResponse): boolean {
  return status >= 500 && json?.meta.timestamp === '';
}

function isUnsure(answer: ApiResponse): boolean {
  return isCut(answer) || ['REQUEST_IN_PROGRESS', 'OUTCOME_UNKNOWN'].includes(codeOf(answer));
}

function codeOf(answer: ApiResponse): string {
  return isCut(answer) ? 'cut' : (answer.json?.code ?? `status ${answer.status}`);
}

function clientResponse(answer: ApiResponse): NonNullable<ClientCall['response']> {
  const { status, headers } = answer;
  const charged = headers.get('x-credits-charged') ?? '0';
  return {
    atMs: Date.now(),
    after: 0,
    code: codeOf(answer),
    hasData: status === 200,
    isReplay: headers.get('idempotent-replayed') === 'true',
    creditsCharged: charged === 'unknown' ? 0 : Number(charged),
  };
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
