import { operatorHandler } from '../../shared/http/operators/chain.ts';
import { removeMember } from '../../shared/operators/actions/members.ts';

/** POST /member/remove: `admin member remove`. */
export const handler = operatorHandler('member remove', removeMember);
