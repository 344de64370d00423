import type { Organisation } from '../accounts/organisation.ts';
import { DAY_MS } from '../core/clock.ts';
import { ServiceError } from '../core/errors.ts';
import type { Secret } from '../core/secrets.ts';
import { isSameCompanyName } from '../matching/company-names.ts';
import type { NumberCheck, NumberLookUp, Profile } from '../members/rows.ts';
import { ALWAYS_CLOSED } from '../registries/breaker.ts';
import type { RegistryStateTable } from '../registries/health/registry-state-table.ts';
import type { RegistryStates } from '../registries/health/state-copies.ts';
import type { RegistryRecord, RegistryResult } from '../registries/port.ts';
import type { OnAttempt, RegistryRouter } from '../registries/router.ts';
import { numberTags } from '../verifications/number-tag.ts';
import type { NumberLookUpTable } from './number-look-up-table.ts';

/** Of one person on one UTC day. */
export const MOST_CHECKS = 5;
/**
 * Of all people on one UTC day: the operator pays, and anyone can sign up. Beyond, the operator checks the numbers.
 */
export const MOST_CHECKS_OF_STAGE = 500;

const KEPT_MS = 365 * DAY_MS;

export interface CheckDependencies {
  readonly lookUps: Pick<NumberLookUpTable, 'takeChecks' | 'insertLookUp' | 'setResult'>;
  readonly pepper: () => Promise<Secret>;
  readonly registries: Pick<RegistryRouter, 'providerKeys' | 'lookUp'>;
  readonly states: Pick<RegistryStateTable, 'getStates'>;
  readonly nowMs: () => number;
  /** Of the registries. */
  readonly timeoutMs: number;
  /** The operator pays for each call. */
  readonly onAttempt: OnAttempt;
}

/** On whose behalf numbers are looked up. */
export interface CheckRequest {
  readonly organisation: Pick<Organisation, 'id' | 'name'>;
  readonly personId: string;
  readonly requestId: string;
}

export type Checks = Required<Pick<Profile, 'companyCheck' | 'taxCheck'>>;
type CheckedType = NumberLookUp['idType'];

/**
 * Those that were not found before. Throws CHECK_LIMIT_REACHED, and looks nothing up, if the person has too few left
 * today.
 */
export async function checkNumbers(
  request: CheckRequest,
  { companyNumber, taxNumber, companyCheck, taxCheck }: Profile,
  deps: CheckDependencies,
): Promise<Checks> {
  const { lookUps, nowMs } = deps;
  const count = [companyCheck, taxCheck].filter((check) => check?.result !== 'FOUND').length;
  const day = new Date(nowMs()).toISOString().slice(0, 10);
  const take = (personId: string | undefined, most: number) =>
    count === 0 || lookUps.takeChecks(personId, day, count, most);
  if (!(await take(request.personId, MOST_CHECKS))) throw new ServiceError('CHECK_LIMIT_REACHED');
  const isPaid = await take(undefined, MOST_CHECKS_OF_STAGE);
  const check = async (idType: CheckedType, number: string, earlier: NumberCheck | undefined) => {
    if (earlier?.result === 'FOUND') return earlier;
    if (isPaid) return checkNumber(idType, number, request, deps);
    const checkedAt = new Date(nowMs()).toISOString();
    return { result: 'UNAVAILABLE', checkedAt, requestId: request.requestId } as const;
  };
  const [company, tax] = await Promise.all([
    check('CAC', companyNumber, companyCheck),
    check('TIN', taxNumber, taxCheck),
  ]);
  return { companyCheck: company, taxCheck: tax };
}

/**
 * At the operator's cost. Recorded before the registry is called, so that an interruption leaves no look-up without a
 * record.
 */
async function checkNumber(
  idType: CheckedType,
  number: string,
  { organisation, personId, requestId }: CheckRequest,
  { lookUps, pepper, registries, states, nowMs, timeoutMs, onAttempt }: CheckDependencies,
): Promise<NumberCheck> {
  const [tag] = numberTags(await pepper(), { env: 'live', organisationId: organisation.id }, idType, number);
  const startedMs = nowMs();
  const key = { organisationId: organisation.id, numberTag: tag, requestId };
  await lookUps.insertLookUp(key, {
    idType,
    result: 'STARTED',
    personId,
    reason: 'organisation submit',
    requestId,
    lookedUpAt: new Date(startedMs).toISOString(),
    expiresAt: Math.ceil((startedMs + KEPT_MS) / 1000),
  });
  const keys = registries.providerKeys('live', [idType]);
  const found = await states.getStates(keys);
  const stateOf: RegistryStates = ({ provider }) =>
    found[keys.findIndex((key) => key.provider === provider)] ?? ALWAYS_CLOSED;
  const deadlineMs = nowMs() + timeoutMs;
  const query = { idType, level: 'basic', number, requestId, isOfProfile: true, deadlineMs } as const;
  const { result } = await registries.lookUp('live', query, stateOf, onAttempt);
  const outcome = OUTCOMES[result.kind] ?? 'UNAVAILABLE';
  await lookUps.setResult(key, outcome);
  const name = result.kind === 'found' ? nameCheck(result.record, organisation.name) : {};
  return { result: outcome, ...name, checkedAt: new Date(nowMs()).toISOString(), requestId };
}

const OUTCOMES: { readonly [kind in RegistryResult['kind']]?: NumberCheck['result'] } = {
  found: 'FOUND',
  'not-found': 'NOT_FOUND',
};

/** Nothing, unless the record is certainly about a company. */
function nameCheck(record: RegistryRecord, entered: string): Pick<NumberCheck, 'name' | 'isNameEqual'> {
  const name = companyNameOf(record);
  return name === undefined ? {} : { name, isNameEqual: isSameCompanyName(entered, name) };
}

/**
 * A taxpayer is a company only if the registry says so, or names a company's number: a person's business name has one
 * too, but with BN.
 */
function companyNameOf(record: RegistryRecord): string | undefined {
  if ('companyName' in record) return record.companyName;
  if (!('tin' in record)) return undefined;
  const isCompany = /^(company|limited)\b/i.test(record.business_type) || /^RC/i.test(record.rc_number);
  return isCompany && record.name !== '' ? record.name : undefined;
}
