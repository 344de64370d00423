import type { Environment } from '../core/environment.ts';
import { plainImage } from '../registries/mapping/formats.ts';
import type { RegistryQuery, RegistryRecord } from '../registries/port.ts';
import type { RegistryRouter, RegistryStates } from '../registries/router.ts';
import type { Command } from './requests.ts';
import type { FailedResult, VerificationResult, WhoWasAsked } from './result.ts';
import { SERVICES } from './services.ts';
import { viewOf } from './views.ts';

/** A whole record and who gave it, or why there is none. */
export type LookUp =
  | ({
      readonly kind: 'found';
      readonly record: RegistryRecord;
      readonly warning?: string;
    } & WhoWasAsked)
  | FailedResult;

/** What a look-up must know of the request that makes it. */
export interface LookUpContext {
  readonly requestId: string;
  /** Epoch milliseconds. */
  readonly deadlineMs: number;
  readonly registryStates: RegistryStates;
}

/**
 * Asks the registry for the command's number. A record without a usable photo is a failure where the command needs
 * one (decision A6).
 */
export async function lookUpRecord(
  command: Command,
  env: Environment,
  request: LookUpContext,
  registries: RegistryRouter,
): Promise<LookUp> {
  const { idType, number, service, bankCode, consent, reason } = command;
  const query: RegistryQuery = {
    idType,
    number,
    level: SERVICES[service].level,
    deadlineMs: request.deadlineMs,
    requestId: request.requestId,
    ...(bankCode !== undefined && { bankCode }),
    ...(consent !== undefined && { consent }),
    ...(reason !== undefined && { reason }),
  };
  const { result, ...routed } = await registries.lookUp(env, query, request.registryStates);
  const { name, displayName } = routed.provider;
  const whom = { provider: { name, displayName }, failedProviders: routed.failedProviders };
  if (result.kind !== 'found')
    return { kind: result.kind, detail: result.detail, maybeBilled: result.maybeBilled, ...whom };
  if (command.needsPhoto && !hasPhoto(result.record))
    return { kind: 'failed', detail: 'no-usable-photo', maybeBilled: true, ...whom };
  return { ...result, ...whom };
}

/** Looks the record up and cuts it to the service's view. What is no valid record is a failure (decision D7). */
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
