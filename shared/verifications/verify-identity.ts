import type { Environment } from '../core/environment.ts';
import { plainImage } from '../registries/mapping/formats.ts';
import type { Bank } from '../registries/mapping/nuban.ts';
import type { RegistryQuery, RegistryRecord } from '../registries/port.ts';
import type { OnAttempt, RegistryRouter, RegistryStates } from '../registries/router.ts';
import type { Command } from './requests.ts';
import type { FailedResult, ProvidersAsked, VerificationResult } from './result.ts';
import { SERVICES } from './services.ts';
import { viewOf } from './views.ts';

/** A complete record with the provider that returned it, or the reason for having none. */
export type LookUp =
  | ({
      readonly kind: 'found';
      readonly record: RegistryRecord;
      readonly warning?: string;
    } & ProvidersAsked)
  | FailedResult;

/** Where an account is. Both are undefined if the provider finds the bank, and for other ID types. */
export interface AccountBanks {
  /** The bank that the caller named. */
  readonly bank?: Bank;
  /** The banks that are asked for the account, because the caller named none. */
  readonly candidates?: readonly Bank[];
}

/** The properties of a request that its look-up needs. */
export interface LookUpContext {
  readonly requestId: string;
  /** Epoch milliseconds. */
  readonly deadlineMs: number;
  readonly registryStates: RegistryStates;
  readonly accountBanks?: AccountBanks | undefined;
  readonly onAttempt: OnAttempt;
}

/**
 * Looks up the command's number. If the command requires a photo, a record without a usable one is a failure (decision
 * A6).
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
    ...(bankCode !== undefined && { bankCode }),
    ...(bank && { bank }),
    ...(consent !== undefined && { consent }),
    ...(reason !== undefined && { reason }),
  };
  const { result, ...routed } = candidates
    ? await registries.lookUpAtBanks(env, query, candidates, registryStates, onAttempt)
    : await registries.lookUp(env, query, registryStates, onAttempt);
  const { name, displayName } = routed.provider;
  const asked = { provider: { name, displayName }, failedProviders: routed.failedProviders };
  if (result.kind !== 'found')
    return { kind: result.kind, detail: result.detail, maybeBilled: result.maybeBilled, ...asked };
  if (command.needsPhoto && !hasPhoto(result.record))
    return { kind: 'failed', detail: 'no-usable-photo', maybeBilled: true, ...asked };
  return { ...result, ...asked };
}

/** Looks up the record and reduces it to the service's view. An invalid record is a failure (decision D7). */
export async function verifyIdentity(
  command: Command,
  env: Environment,
  request: LookUpContext,
  registries: RegistryRouter,
): Promise<VerificationResult> {
  const found = await lookUpRecord(command, env, request, registries);
  if (found.kind !== 'found') return found;
  const data = viewOf(command.service, found.record);
  const { provider, failedProviders = [], warning } = found;
  if (!data)
    return { kind: 'failed', detail: 'no-valid-record', maybeBilled: true, provider, failedProviders };
  return {
    kind: 'found',
    provider,
    failedProviders,
    content: { type: 'json', data, ...(warning && { warning }) },
  };
}

function hasPhoto(record: RegistryRecord): boolean {
  return 'photo' in record && plainImage(record.photo) !== '';
}
