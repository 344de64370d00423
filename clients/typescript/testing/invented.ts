import { type ErrorDetails, ServiceError } from '../../../shared/core/errors.ts';
import type { ErrorStyle } from '../../../shared/http/context.ts';
import { bankByCode } from '../../../shared/registries/mapping/banks.ts';
import { plainImage } from '../../../shared/registries/mapping/formats.ts';
import type { RegistryQuery, RegistryRecord } from '../../../shared/registries/port.ts';
import { readSandboxResult } from '../../../shared/registries/providers/sandbox/result.ts';
import { lookUpInSandbox } from '../../../shared/registries/sandbox/look-up.ts';
import { bankCodeField } from '../../../shared/verifications/bank-code.ts';
import { matchRecord } from '../../../shared/verifications/match-record.ts';
import { verifiedEnvelope } from '../../../shared/verifications/middleware/look-up-response.ts';
import { failureCode } from '../../../shared/verifications/outcome-codes.ts';
import type { Command } from '../../../shared/verifications/requests.ts';
import { NUMBER_ALIASES } from '../../../shared/verifications/services.ts';
import { viewOf } from '../../../shared/verifications/views.ts';
import type { FakeResult } from './fake-account.ts';

const PROVIDER = 'Sandbox';

/** Looks up the number in the sandbox. Throws the service's error if there is no record. */
export function invented(command: Command, style: ErrorStyle): FakeResult {
  const { service, idType, number, slipType, match } = command;
  const record = recordOf(command, style);
  if (slipType !== undefined)
    return {
      pdf: `%PDF-1.7\nAn invented slip.\n%%EOF\n`,
      fileName: `${slipType}_${number}_slip.pdf`,
    };
  const view = command.isMatchOnly ? { [NUMBER_ALIASES[idType]]: number } : viewOf(service, record);
  const compared = match && matchRecord(match, record).match;
  const meta = { request_id: '', timestamp: '' };
  return { json: { ...verifiedEnvelope(idType, PROVIDER, view, meta, { match: compared }) } };
}

function recordOf(command: Command, style: ErrorStyle): RegistryRecord {
  const { idType, number, numberField, needsPhoto, bankCode } = command;
  if (bankCode !== undefined && !bankByCode(bankCode)) throw failed(command, style, unknownBank(command));
  const found = lookUpInSandbox({ idType, number, ...(bankCode && { bankCode }) });
  const query = { idType, number, level: 'premium', deadlineMs: 0, requestId: '' } as const;
  const bank = bankCode === undefined ? undefined : bankByCode(bankCode);
  const result =
    found.status === 200
      ? readSandboxResult({ ...query, ...(bank && { bankCode, bank }) } as RegistryQuery, found.body)
      : { kind: KINDS[found.status] ?? fault() };
  if (result.kind !== 'found') {
    const details = { reason: 'no_record', field: numberField, hint: 'Check the number.' } as const;
    throw new ServiceError(failureCode(result.kind, idType, style), {
      ...(result.kind === 'not-found' && { details }),
    });
  }
  const { record } = result;
  const hasPhoto = 'photo' in record && plainImage(record.photo) !== '';
  if (needsPhoto && !hasPhoto) throw failed(command, style);
  return record;
}

/** By the status of the sandbox. */
const KINDS: Readonly<Record<number, 'not-found' | 'failed' | 'unreachable' | 'timeout'>> = {
  400: 'failed',
  404: 'not-found',
  503: 'unreachable',
  504: 'timeout',
};

const fault = (): never => {
  throw new ServiceError('SERVER_ERROR');
};

const unknownBank = (command: Command): ErrorDetails => ({
  reason: 'unknown_bank',
  field: bankCodeField(command),
  hint: 'No bank has this bank_code. GET /v1/banks lists the codes of all banks.',
});

const failed = ({ idType }: Command, style: ErrorStyle, details?: ErrorDetails): ServiceError =>
  new ServiceError(failureCode('failed', idType, style), details ? { message: details.hint, details } : {});
