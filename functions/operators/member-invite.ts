import { operatorHandler } from '../../shared/http/operators/chain.ts';
import { inviteMember } from '../../shared/operators/actions/members.ts';

/** POST /member/invite: `admin member invite`. */
export const handler = operatorHandler('member invite', inviteMember);
