import type { ErrorCode } from '../core/errors.ts';
import type { IdType } from '../core/id-types.ts';
import type { ErrorStyle } from '../http/context.ts';
import type { RegistryResult } from '../registries/port.ts';

type Failure = Exclude<RegistryResult['kind'], 'found'>;

const GATEWAY: Readonly<Record<Failure, ErrorCode>> = {
  'not-found': 'RECORD_NOT_FOUND',
  failed: 'VERIFICATION_FAILED',
  unreachable: 'SERVICE_UNAVAILABLE',
  // The gateway has no code for a timeout (contract C6).
  timeout: 'SERVICE_UNAVAILABLE',
};

/** Returns the error code of a look-up without a record (contract C5, C6, C8). */
export function failureCode(kind: Failure, idType: IdType, errorStyle: ErrorStyle): ErrorCode {
  if (errorStyle === 'gateway') return GATEWAY[kind];
  const dedicated: Readonly<Record<Failure, ErrorCode>> = {
    'not-found': `${idType}_NOT_FOUND`,
    failed: `${idType}_VERIFICATION_FAILED`,
    unreachable: 'SERVICE_UNAVAILABLE',
    timeout: 'TIMEOUT',
  };
  return dedicated[kind];
}
