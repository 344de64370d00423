import { operatorHandler } from '../../shared/http/operators/chain.ts';
import { countImpact } from '../../shared/operators/actions/privacy.ts';

/** POST /privacy/impact: `admin privacy impact`. */
export const handler = operatorHandler('privacy impact', countImpact);
