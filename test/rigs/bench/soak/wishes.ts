import { type Random, seededRandom } from '../../../ledger/simulation/random.ts';

/** What the clients of a soak want: a stream of requests of every kind, the same for the same seed. */

export interface Wish {
  /** Whose wallet pays: the place in the list of organisations. */
  readonly organisation: number;
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly service: string;
  /** The Idempotency-Key; requests without one are sent once. */
  readonly key?: string;
  /** Sends again under the same key after an answer with data. */
  readonly repeats: number;
}

/** How often, in parts of a thousand, and what the last digits of the number ask of the sandbox (decision G1). */
const KINDS = [
  { share: 717, ending: '0001' },
  { share: 60, ending: '0404' },
  { share: 50, ending: '0400' },
  { share: 50, ending: '0503' },
  { share: 40, ending: '0500' },
  { share: 30, ending: '0206' },
  { share: 8, ending: '0299' },
  { share: 45, ending: 'malformed' },
] as const;

export interface Route {
  readonly path: string;
  readonly functionName: string;
  readonly service: string;
}

type Routes = readonly [Route, ...Route[]];
const route = (service: string): Route => ({ path: `/v1/ng/${service}`, functionName: service, service });

/** Functions whose processes are killed; each serves one client. */
export const LANES: Routes = [
  route('nin-basic'),
  route('bvn-basic'),
  route('tin-basic'),
  { path: '/v1/identities/verify', functionName: 'verify-identity', service: 'nin-premium' },
];
export const OTHERS: Routes = [route('bvn-premium'), route('cac-basic'), route('nuban-basic')];

export function* wishes(seed: number, routes: Routes, organisations: number): Generator<Wish, never> {
  const random = seededRandom(seed);
  for (let drawn = 1; ; drawn += 1) {
    const ending = drawKind(random);
    const { path, service } = random.pick(routes);
    // The last organisation has too little credit; it asks now and then.
    const isPoor = random.chance(0.05);
    yield {
      organisation: isPoor ? organisations - 1 : random.between(0, organisations - 2),
      ...{ path, service, body: bodyOf(service, `${1 + (seed % 9)}${drawn}`, ending) },
      ...(random.chance(0.7) && { key: `soak-${seed}-request-${drawn}` }),
      repeats: random.chance(0.15) ? random.between(1, 4) : 0,
    };
  }
}

/** The one that the registry never answers in time: 20 s each, so there are few. */
export function patientWish(seed: number, drawn: number): Wish {
  const service = 'bvn-basic';
  const body = bodyOf(service, `99000${drawn}`, '0504');
  return {
    organisation: 0,
    path: '/v1/ng/bvn-basic',
    service,
    body,
    key: `soak-${seed}-patient-${drawn}`,
    repeats: 0,
  };
}

function drawKind(random: Random): string {
  let draw = random.between(0, 999);
  for (const { share, ending } of KINDS) {
    if (draw < share) return ending;
    draw -= share;
  }
  return KINDS[0].ending;
}

/** Every number is asked for by one wish alone, so that the log rows of a number are those of one wish. */
function bodyOf(service: string, unique: string, ending: string): Readonly<Record<string, unknown>> {
  const isMalformed = ending === 'malformed';
  const middle = unique.padStart(6, '0');
  const digits = isMalformed ? '12345' : `7${middle}${ending}`;
  if (service === 'cac-basic') return { id_number: isMalformed ? digits : `RC${middle.slice(-4)}${ending}` };
  if (service === 'nuban-basic') return { id_number: digits.slice(-10) };
  if (service === 'tin-basic') return { tin: isMalformed ? digits : `77${middle}-${ending}` };
  if (service === 'nin-premium') {
    const params = { id_number: digits };
    return { country: 'NG', id_type: 'NIN', method: 'biometric', level: 'advanced', params };
  }
  return { id_number: digits };
}
