import type { Environment } from '../../core/environment.ts';
import { requestValue } from '../../http/context.ts';
import type { LimiterRows } from '../account-table.ts';
import type { ApiKey } from '../api-key.ts';
import type { Organisation } from '../organisation.ts';

export interface Caller {
  readonly env: Environment;
  readonly key: ApiKey;
  readonly organisation: Organisation;
  readonly limits: LimiterRows;
}

export const caller = requestValue<Caller>('caller');
