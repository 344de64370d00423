import type { Environment } from '../core/environment.ts';
import type { ErrorDetails } from '../core/errors.ts';
import type { RegistryStates } from '../registries/health/state-copies.ts';
import { plainImage } from '../registries/mapping/formats.ts';
import type { Bank } from '../registries/mapping/nuban.ts';
import type { RegistryQuery, RegistryRecord } from '../registries/port.ts';
import type { OnAttempt, RegistryRouter } from '../registries/router.ts';
import type { MatchRecord } from './match-record.ts';
import type { Command } from './requests.ts';
import type { FailedResult, ProvidersAsked, VerificationResult } from './result.ts';
import { NUMBER_ALIASES, SERVICES } from './services.ts';
import { viewOf } from './views.ts';

/** A complete record with the provider that returned it, or the failure that explains why there is none. */
export type LookUp =
  | ({
      readonly kind: 'found';
      readonly record: RegistryRecord;
      readonly warning?: string;
    } & ProvidersAsked)
  | FailedResult;

/** The bank or banks of an account. Both are undefined if the provider finds the bank, and for other ID types. */
export interface AccountBanks {
  readonly bank?: Bank;
  /** The banks that are asked for the account, because the caller named none. */
  readonly candidates?: readonly Bank[];
}

export interface LookUpContext {
  readonly requestId: string;
  readonly organisationId?: string | undefined;
  /** Epoch milliseconds. */
  readonly deadlineMs: number;
  readonly registryStates: RegistryStates;
  readonly accountBanks?: AccountBanks | undefined;
  readonly onAttempt: OnAttempt;
  readonly matchRecord?: MatchRecord | undefined;
}

/**
 * Looks up the command's number. If the command requires a photo, a record without a usable photo is a failure
 * (contract A6).
 */
export async function lookUpRecord(
  command: Command,
  env: Environment,
  request: LookUpContext,
  registries: RegistryRouter,
): Promise<LookUp> {
  const { idType, number, service, bankCode, consent, reason } = command;
  const { registryStates, accountBanks, onAttempt } = request;
  const { bank, candidates } = accountBanks ?? {};
  const query: RegistryQuery = {
    idType,
    number,
    level: SERVICES[service].level,
    deadlineMs: request.deadlineMs,
    requestId: request.requestId,
    organisationId: request.organisationId,
    ...(bankCode !== undefined && { bankCode }),
    ...(bank && { bank }),
    ...(consent !== undefined && { consent }),
    ...(reason !== undefined && { reason }),
    ...namesOf(command),
  };
  const { result, ...routed } = candidates
    ? await registries.lookUpAtBanks(env, query, candidates, registryStates, onAttempt)
    : await registries.lookUp(env, query, registryStates, onAttempt);
  const { name, displayName } = routed.provider;
  const asked = { provider: { name, displayName }, failedProviders: routed.failedProviders };
  if (result.kind !== 'found')
    return { kind: result.kind, detail: result.detail, maybeBilled: result.maybeBilled, ...asked };
  if (command.needsPhoto && !hasPhoto(result.record))
    return { kind: 'failed', detail: 'no-usable-photo', maybeBilled: true, rejection: NO_PHOTO, ...asked };
  return { ...result, ...asked };
}

/**
 * Looks up the record and reduces it to the service's view, or to its number if the caller wants only the result of
 * the match. An invalid record is a failure (contract D7). A record that does not match still counts as found
 * (contract M4).
 */
export async function verifyIdentity(
  command: Command,
  env: Environment,
  request: LookUpContext,
  registries: RegistryRouter,
): Promise<VerificationResult> {
  const found = await lookUpRecord(command, env, request, registries);
  if (found.kind !== 'found') return found;
  const record = viewOf(command.service, found.record);
  const { provider, failedProviders = [], warning } = found;
  if (!record)
    return { kind: 'failed', detail: 'no-valid-record', maybeBilled: true, provider, failedProviders };
  const { match, mayBeGuess } = matchOf(command, found.record, request) ?? {};
  const data = command.isMatchOnly ? { [NUMBER_ALIASES[command.idType]]: command.number } : record;
  return {
    kind: 'found',
    provider,
    failedProviders,
    content: {
      type: 'json',
      data,
      ...(match && { match }),
      ...(command.isMatchOnly && { isMatchOnly: true, mayBeGuess: mayBeGuess ?? false }),
      ...(warning && { warning }),
    },
  };
}

const NO_PHOTO: ErrorDetails = {
  reason: 'no_photo',
  field: 'method',
  hint: 'The record has no usable photo, which method "biometric" requires. Leave method out to get the record without one.',
};

/** Returns the claimed names, which only providers that look up people by number and name receive. */
function namesOf({ match: { firstname, lastname } = {} }: Command): Pick<RegistryQuery, 'names'> {
  return firstname !== undefined && lastname !== undefined ? { names: { firstname, lastname } } : {};
}

function matchOf(
  { match }: Command,
  record: RegistryRecord,
  { matchRecord }: LookUpContext,
): ReturnType<MatchRecord> | undefined {
  if (!match) return undefined;
  if (!matchRecord) throw new Error('The route reads claimed details, but does not match them.');
  return matchRecord(match, record);
}

function hasPhoto(record: RegistryRecord): boolean {
  return 'photo' in record && plainImage(record.photo) !== '';
}
