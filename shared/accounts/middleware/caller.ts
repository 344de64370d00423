import type { Environment } from '../../core/environment.ts';
import { requestValue } from '../../http/context.ts';
import type { LimiterRows } from '../account-table.ts';
import type { ApiKey } from '../api-key.ts';
import type { Organisation } from '../organisation.ts';

/** The caller, known once the API key is accepted. */
export interface Caller {
  readonly env: Environment;
  readonly key: ApiKey;
  readonly organisation: Organisation;
  /** The limiter's rows as this request read them. */
  readonly limits: LimiterRows;
}

export const caller = requestValue<Caller>('caller');
