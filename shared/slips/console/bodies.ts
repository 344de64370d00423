import * as v from 'valibot';
import { ENVIRONMENTS } from '../../core/environment.ts';

export const withdrawSlipBody = v.strictObject({ env: v.picklist(ENVIRONMENTS) });
export type WithdrawSlipBody = v.InferInput<typeof withdrawSlipBody>;
