import { removeMember } from '../../shared/operators/actions/members.ts';
import { operatorHandler } from '../../shared/operators/routes/chain.ts';

/** POST /member/remove: `admin member remove`. */
export const handler = operatorHandler('member remove', removeMember);
