import { countImpact } from '../../shared/operators/actions/privacy.ts';
import { operatorHandler } from '../../shared/operators/routes/chain.ts';

/** POST /privacy/impact: `admin privacy impact`. */
export const handler = operatorHandler('privacy impact', countImpact);
