import type { Environment } from '../accounts/organisation.ts';
import { plainImage } from '../registries/mapping.ts';
import type { RegistryQuery, RegistryRecord } from '../registries/registry.ts';
import type { RegistryRouter } from '../registries/router.ts';
import type { FailedOutcome, Outcome, ProviderNames } from './outcome.ts';
import type { Command } from './requests.ts';
import { SERVICES } from './services.ts';
import { viewOf } from './views.ts';

/** A whole record and who gave it, or why there is none. */
export type LookUp =
  | {
      readonly kind: 'found';
      readonly record: RegistryRecord;
      readonly provider: ProviderNames;
      readonly warning?: string;
    }
  | FailedOutcome;

/** What a look-up must know of the request that makes it. */
export interface RequestOfLookUp {
  readonly requestId: string;
  /** Epoch milliseconds. */
  readonly deadlineMs: number;
}

/**
 * Asks the registry for the command's number. A record without a usable photo is a failure where the command needs
 * one (decision A6).
 */
export async function lookUpRecord(
  command: Command,
  env: Environment,
  request: RequestOfLookUp,
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
  const { answer, provider } = await registries.lookUp(env, query);
  const { name, displayName } = provider;
  const names = { name, displayName };
  if (answer.kind !== 'found') return { ...answer, provider: names };
  if (command.needsPhoto && !hasPhoto(answer.record))
    return { kind: 'failed', detail: 'no-usable-photo', provider: names };
  return { ...answer, provider: names };
}

/** Looks the record up and cuts it to the service's view. What is no valid record is a failure (decision D7). */
export async function verifyIdentity(
  command: Command,
  env: Environment,
  request: RequestOfLookUp,
  registries: RegistryRouter,
): Promise<Outcome> {
  const found = await lookUpRecord(command, env, request, registries);
  if (found.kind !== 'found') return found;
  const data = viewOf(command.service, found.record);
  if (!data) return { kind: 'failed', detail: 'no-valid-record', provider: found.provider };
  const { provider, warning } = found;
  return { kind: 'found', provider, content: { type: 'json', data, ...(warning && { warning }) } };
}

function hasPhoto(record: RegistryRecord): boolean {
  return 'photo' in record && plainImage(record.photo) !== '';
}
