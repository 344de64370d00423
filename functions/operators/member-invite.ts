import { inviteMember } from '../../shared/operators/actions/members.ts';
import { operatorHandler } from '../../shared/operators/routes/chain.ts';

/** POST /member/invite: `admin member invite`. */
export const handler = operatorHandler('member invite', inviteMember);
