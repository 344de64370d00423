import { invalidSchema } from '../../../shared/core/errors.ts';
import { containsNumber } from '../../../shared/core/numbers.ts';
import {
  IDEMPOTENCY_HEADER,
  IDEMPOTENCY_KEY,
  KEY_FORMAT,
  USE_UUID,
} from '../../../shared/http/idempotency-key.ts';

/** As the service checks an Idempotency-Key, which must not contain the number to verify. */
export function checkKey(key: string, number?: string): void {
  if (!IDEMPOTENCY_KEY.test(key))
    throw invalidSchema('wrong_format', IDEMPOTENCY_HEADER, KEY_FORMAT, USE_UUID);
  if (number !== undefined && containsNumber(key, number))
    throw invalidSchema(
      'wrong_value',
      IDEMPOTENCY_HEADER,
      `The ${IDEMPOTENCY_HEADER} contains the number to verify.`,
      USE_UUID,
    );
}
