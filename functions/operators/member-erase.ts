import { eraseMember } from '../../shared/operators/actions/members.ts';
import { operatorHandler } from '../../shared/operators/routes/chain.ts';

/** POST /member/erase: `admin member erase`. */
export const handler = operatorHandler('member erase', eraseMember);
