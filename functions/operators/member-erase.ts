import { operatorHandler } from '../../shared/http/operators/chain.ts';
import { eraseMember } from '../../shared/operators/actions/members.ts';

/** POST /member/erase: `admin member erase`. */
export const handler = operatorHandler('member erase', eraseMember);
