import { keyedRoute } from '../../../shared/accounts/middleware/keyed-route.ts';
import { showMe } from '../../../shared/accounts/routes/me.ts';
import { HOUR_MS } from '../../../shared/core/clock.ts';
import { COMPANY_TYPES, ID_TYPES } from '../../../shared/core/id-types.ts';
import type { LambdaHandler } from '../../../shared/http/chain.ts';
import { publicRoute } from '../../../shared/http/public-route.ts';
import { showBalance } from '../../../shared/ledger/routes/wallet-balance.ts';
import { listTransactions } from '../../../shared/ledger/routes/wallet-transactions.ts';
import { listBanks } from '../../../shared/registries/routes/banks.ts';
import { slipRoute } from '../../../shared/slips/routes/nin-slip.ts';
import { showSlipCheck } from '../../../shared/slips/routes/slip-check.ts';
import { checkSlipDetails } from '../../../shared/slips/routes/slip-details.ts';
import { slipValues } from '../../../shared/slips/slip.ts';
import { createSlipToken } from '../../../shared/slips/token.ts';
import { matchRecord } from '../../../shared/verifications/match-record.ts';
import { isPersonType } from '../../../shared/verifications/match-request.ts';
import { verificationRoute } from '../../../shared/verifications/middleware/charged-route.ts';
import { dedicatedBody, gatewayBody } from '../../../shared/verifications/requests.ts';
import { accountRoute, NUBAN_ROUTE } from '../../../shared/verifications/routes/nuban-basic.ts';
import { showVerification } from '../../../shared/verifications/routes/verification.ts';
import { NUMBER_ALIASES, SERVICE_NAMES, SERVICES } from '../../../shared/verifications/services.ts';
import type { Random } from '../../ledger/simulation/random.ts';
import type { MemoryService } from '../../security/memory-service.ts';
import { USUAL_RECORD } from '../../slips/records.ts';
import { paymentTargets } from './payment-targets.ts';

/** A handler, and a valid request for it. */
export interface Target {
  readonly name: string;
  readonly handler: LambdaHandler;
  /** A valid body; undefined for GET routes. */
  readonly body?: (random: Random) => object;
  /** A valid HTML form, instead of a JSON body. */
  readonly form?: (random: Random) => Record<string, string>;
  readonly query?: (random: Random) => Record<string, string[]>;
  readonly path?: (random: Random) => Record<string, string>;
}

export const digits = (random: Random, count: number) =>
  Array.from({ length: count }, () => random.between(0, 9)).join('');

// Invented names. cspell:ignore Segun Ebele
const NUMBERS = {
  NIN: (random: Random) => digits(random, 11),
  BVN: (random: Random) => digits(random, 11),
  CAC: (random: Random) => `${random.pick(COMPANY_TYPES)}${digits(random, random.between(1, 8))}`,
  TIN: (random: Random) =>
    random.pick([`${digits(random, 8)}-${digits(random, 4)}`, digits(random, 10), digits(random, 13)]),
  NUBAN: (random: Random) => digits(random, 10),
} as const;

const DEDICATED = SERVICE_NAMES.filter((name) => name !== 'nin-slip');

export function targetsOn(service: MemoryService): [Target, ...Target[]] {
  const { deps } = service;
  const { ledger } = deps;
  const dedicated = DEDICATED.map((name): Target => {
    const { idType } = SERVICES[name];
    return {
      name,
      handler:
        name === 'nuban-basic'
          ? accountRoute(NUBAN_ROUTE, deps, false)
          : verificationRoute({ name, idType, body: dedicatedBody(name), matchRecord }, deps),
      body: (random) => ({
        [random.chance(0.5) ? 'id_number' : NUMBER_ALIASES[idType]]: NUMBERS[idType](random),
        ...(random.chance(0.2) && { consent: 'form 7', reason: 'onboarding' }),
        ...(isPersonType(idType) && claim(random)),
      }),
    };
  });
  const gateway = { name: 'verify-identity', errorStyle: 'gateway', body: gatewayBody, matchRecord } as const;
  const statement = { entries: async function* () {} };
  const noBalance = async () => undefined;
  return [
    { name: 'verify-identity', handler: accountRoute(gateway, deps, false), body: gatewayRequest },
    ...dedicated,
    {
      name: 'nin-slip',
      handler: slipRoute(deps, { checkDays: 365 }),
      body: (random) => ({
        nin: digits(random, 11),
        slip_type: random.pick(['regular', 'improved', 'premium']),
      }),
    },
    { name: 'me', handler: keyedRoute('me', 'any', showMe(), deps) },
    { name: 'banks', handler: keyedRoute('banks', 'any', listBanks(), deps) },
    {
      name: 'wallet-balance',
      handler: keyedRoute('wallet-balance', 'wallet:read', showBalance(ledger.shards), deps),
    },
    {
      name: 'wallet-transactions',
      handler: keyedRoute('wallet-transactions', 'wallet:read', listTransactions(statement, noBalance), deps),
      query: (random) => ({ limit: [digits(random, 2)], type: ['debit'], from: ['2026-11-01'] }),
    },
    {
      name: 'verification',
      handler: keyedRoute(
        'verification',
        'verification:read',
        showVerification({ log: deps.log, charges: ledger.charges }),
        deps,
      ),
      path: (random) => ({ request_id: `req_${digits(random, 12)}` }),
    },
    {
      name: 'slip-check',
      handler: publicRoute('slip-check', showSlipCheck({ withdrawn, nowMs: Date.now })),
      path: (random) => ({ token: digits(random, 43) }),
    },
    slipDetailsTarget(service),
    ...paymentTargets(service),
  ];
}

/** Returns claimed details for half of the requests, and nothing for the others. */
function claim(random: Random): object {
  if (random.chance(0.5)) return {};
  const match = {
    firstname: random.pick(['Adébáyọ̀', 'A.', 'Olu Segun']),
    ...(random.chance(0.5) && { lastname: random.pick(['Okafor', "Ng'ang'a-Ƙaura"]), gender: 'f' }),
    ...(random.chance(0.5) && { middlename: 'Ebele', phone: `+234${digits(random, 10)}` }),
    ...(random.chance(0.5) && { birthdate: random.pick(['01-01-1990', '1990-02-14']) }),
  };
  return { match, ...(random.chance(0.5) && { match_only: random.chance(0.8) }) };
}

const withdrawn = { isWithdrawn: async () => false };

/** The key in the secret that the fuzzed service uses. */
const SLIP_KEY = 'a slip key of tests';

/**
 * Returns the target that checks details typed from a slip, with a code that the service generated. Its attempts never
 * run out.
 */
function slipDetailsTarget({ clock }: MemoryService): Target {
  const attempts = { take: async () => ({ isAllowed: true }) as const, giveBack: async () => undefined };
  const token = (random: Random) => {
    const [issuedAt, expiresAt] = [new Date(clock.nowMs), new Date(clock.nowMs + HOUR_MS)];
    const reference = digits(random, 12);
    const facts = { slipType: 'premium', issuedAt, expiresAt, reference, specimen: true } as const;
    return createSlipToken(facts, slipValues(USUAL_RECORD, issuedAt, ''), SLIP_KEY);
  };
  return {
    name: 'slip-details',
    handler: publicRoute('slip-details', checkSlipDetails({ attempts, withdrawn, nowMs: () => clock.nowMs })),
    path: (random) => ({ token: random.chance(0.9) ? token(random) : digits(random, 64) }),
    form: (random) => ({
      nin: digits(random, 11),
      surname: USUAL_RECORD.lastname,
      ...(random.chance(0.5) && { given_names: USUAL_RECORD.firstname, birth_date: '12 MAR 1990' }),
    }),
  };
}

function gatewayRequest(random: Random): object {
  const idType = random.pick(ID_TYPES);
  return {
    country: 'NG',
    id_type: idType,
    method: random.pick(['identity', 'biometric']),
    level: random.pick(['basic', 'advanced', 'advance']),
    params: { id_number: NUMBERS[idType](random) },
    ...(isPersonType(idType) && claim(random)),
  };
}
