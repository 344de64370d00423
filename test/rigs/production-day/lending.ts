import { setTimeout as sleep } from 'node:timers/promises';
import type { IdType } from '../../../shared/core/id-types.ts';
import type { Random } from '../../ledger/simulation/random.ts';
import { FIRST_KEY } from './customers.ts';
import { requestsOf } from './journal.ts';
import { rotateKey, type Simulation, setRegistry, topUp } from './phases.ts';
import { bodyOf, type Route } from './traffic.ts';

/**
 * A lender's day: each applicant needs three checks, and clerks mistype some numbers. Meanwhile the primary provider has
 * an outage, the API key is rotated, the wallet runs out of credits, and some applicants demand the erasure of their data.
 */

const CHECKS = { 'nin-basic': 'NIN', 'bvn-basic': 'BVN', 'nuban-basic': 'NUBAN' } as const satisfies Partial<
  Record<Route, IdType>
>;
type CheckRoute = keyof typeof CHECKS;
const ROUTES = Object.keys(CHECKS) as CheckRoute[];

const CLERKS = 20;
const MISTYPED_SHARE = 0.08;
const REPEAT_SHARE = 0.05;
/** Long enough for the circuit breaker, and short enough that clerks are not all waiting for one provider. */
const OUTAGE_MS = 60_000;
/** The share of responses whose request ID the lender does not store. */
const LOST_SHARE = 0.1;
/** How often a check is sent, apart from the retries of each time. */
const MAX_TURNS = 20;
/** The applicants to erase whose charge was cut off, so that the lender has only the request ID of a replay. */
const MAX_ERASED_REPLAYS = 3;
/** The lender pays for so many of three checks in advance, and tops up when the wallet is empty. */
const CREDITS_PER_APPLICANT = 2;

/** What the lender has stored about one number that it sent. */
export interface SentCheck {
  readonly applicant: string;
  readonly route: CheckRoute;
  readonly idempotencyKey: string;
  readonly isMistyped: boolean;
  /** Of the last response whose ID was stored, whatever it was. */
  requestId: string | undefined;
  /** Whether a response showed that the check was charged. */
  isCharged: boolean;
}

/** Everything that the lender knows at the end of the day. */
export interface LenderFiles {
  readonly sent: SentCheck[];
  readonly erased: Set<string>;
  unfinished: number;
}

interface Turn {
  readonly file: SentCheck;
  readonly body: Readonly<Record<string, string>>;
  readonly count: number;
}

export async function lending(simulation: Simulation): Promise<void> {
  const { customers, applicants } = simulation;
  await topUp(simulation, customers.lender, applicants * CREDITS_PER_APPLICANT, 'opening');
  const day = new LendersDay(simulation);
  await Promise.all([day.work(), day.misfortunes()]);
}

class LendersDay {
  readonly #simulation: Simulation;
  readonly #random: Random;
  readonly #queue: Turn[] = [];
  readonly #typed: Turn[] = [];
  #count = 0;
  #open: number;
  #turns = 0;
  #usesOldKey = false;

  constructor(simulation: Simulation) {
    this.#simulation = simulation;
    this.#random = simulation.random;
    this.#open = simulation.applicants * ROUTES.length;
    for (let count = 1; count <= simulation.applicants; count += 1)
      for (const route of ROUTES)
        this.#type(
          `application-${String(count).padStart(4, '0')}`,
          route,
          this.#random.chance(MISTYPED_SHARE),
        );
  }

  /** Types a number for a check. A corrected number has a key of its own, because the request is a different one. */
  #type(applicant: string, route: CheckRoute, isMistyped: boolean, suffix = ''): void {
    this.#count += 1;
    const idempotencyKey = `${applicant}-${route}${suffix}`;
    const file: SentCheck = {
      applicant,
      route,
      idempotencyKey,
      isMistyped,
      requestId: undefined,
      isCharged: false,
    };
    this.#simulation.lender.sent.push(file);
    const body = { ...bodyOf(route, this.#count, isMistyped ? '0404' : '0001'), reference: applicant };
    const turn = { file, body, count: 1 };
    this.#typed.push(turn);
    this.#queue.push(turn);
  }

  async work(): Promise<void> {
    const clerk = async (_: unknown, index: number) => {
      while (this.#open > 0) {
        const turn = this.#queue.shift();
        if (turn) await this.#send(turn, this.#usesOldKey && index % 2 === 1);
        else await sleep(50);
      }
    };
    await Promise.all(Array.from({ length: CLERKS }, clerk));
  }

  async #send({ file, body, count }: Turn, usesOldKey: boolean): Promise<void> {
    const { client, customers, lender } = this.#simulation;
    const { applicant, route, idempotencyKey, isMistyped } = file;
    const repeats = this.#random.chance(REPEAT_SHARE) ? 1 : 0;
    const { status, code, requestId } = await client.verify({
      ...{ customer: customers.lender, route, body, idempotencyKey, repeats },
      ...(usesOldKey && { oldKeyLabel: FIRST_KEY }),
    });
    this.#turns += 1;
    if (requestId && !this.#random.chance(LOST_SHARE)) file.requestId = requestId;
    file.isCharged = status === 200 || code === 'REPLAY_EXHAUSTED';
    if (file.isCharged) this.#open -= 1;
    else if (isMistyped && code.endsWith('_NOT_FOUND')) this.#type(applicant, route, false, '-corrected');
    else if (count === MAX_TURNS) {
      lender.unfinished += 1;
      this.#open -= 1;
    } else {
      if (code === 'INSUFFICIENT_FUNDS') await sleep(1_000);
      this.#queue.push({ file, body, count: count + 1 });
    }
  }

  /** Everything that goes wrong, each after a share of the day's work. */
  async misfortunes(): Promise<void> {
    const simulation = this.#simulation;
    const topping = this.#topUpWhenEmpty();
    await this.#until(0.2);
    for (const behaviour of ['hanging', 'failing', 'refusing'] as const) {
      await setRegistry(simulation, behaviour);
      await sleep(OUTAGE_MS / 3);
    }
    await setRegistry(simulation, 'healthy');
    await this.#until(0.4);
    await rotateKey(simulation, simulation.customers.lender, async () => {
      this.#usesOldKey = true;
      await this.#until(0.45);
    });
    await this.#until(0.5);
    this.#usesOldKey = false;
    await this.#until(0.85);
    await this.#erase();
    await topping;
  }

  async #until(share: number): Promise<void> {
    const all = this.#simulation.applicants * ROUTES.length;
    while (this.#open > 0 && this.#turns < share * all) await sleep(100);
  }

  async #topUpWhenEmpty(): Promise<void> {
    const { journal, customers, applicants } = this.#simulation;
    const { wallet } = customers.lender;
    const isRejected = () =>
      requestsOf(journal.lines).some((line) => line.wallet === wallet && line.code === 'INSUFFICIENT_FUNDS');
    while (this.#open > 0 && !isRejected()) await sleep(500);
    await topUp(this.#simulation, customers.lender, applicants * ROUTES.length, 'second');
  }

  /** Erases applicants whose checks are complete: some who have a charge that only a replay showed, and one other. */
  async #erase(): Promise<void> {
    const { lender, journal, customers } = this.#simulation;
    while (this.#open > 0 && this.#erasable().replayed.length === 0) await sleep(500);
    const { replayed, others } = this.#erasable();
    for (const applicant of [...replayed.slice(0, MAX_ERASED_REPLAYS), ...others.slice(0, 1)])
      lender.erased.add(applicant);
    journal.event({ name: 'erasing', wallet: customers.lender.wallet, count: lender.erased.size });
    const numbers = this.#typed.filter(({ file }) => lender.erased.has(file.applicant));
    await Promise.all(numbers.map((turn) => this.#eraseNumber(turn)));
  }

  #erasable(): { readonly replayed: readonly string[]; readonly others: readonly string[] } {
    const { lender, journal } = this.#simulation;
    const attempts = Map.groupBy(requestsOf(journal.lines), ({ idempotencyKey }) => idempotencyKey);
    const isReplayed = ({ idempotencyKey }: SentCheck) =>
      attempts.get(idempotencyKey)?.find(({ status }) => status === 200)?.isReplay ?? false;
    const replayed: string[] = [];
    const others: string[] = [];
    for (const [applicant, files] of Map.groupBy(lender.sent, (file) => file.applicant)) {
      if (files.filter(({ isCharged }) => isCharged).length < ROUTES.length) continue;
      if (files.some(isReplayed)) replayed.push(applicant);
      else others.push(applicant);
    }
    return { replayed, others };
  }

  async #eraseNumber({ file, body }: Turn): Promise<void> {
    const { service, customers } = this.#simulation;
    const wallet = { env: 'live', organisationId: customers.lender.id } as const;
    const number = body['id_number'] ?? '';
    const tags = await service.operator.tagsOf(wallet, CHECKS[file.route], number);
    await service.operator.eraseTags(wallet, CHECKS[file.route], tags);
  }
}
