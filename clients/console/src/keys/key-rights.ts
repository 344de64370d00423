import type { KeyView } from '../../../../shared/accounts/console/views.ts';
import type { Environment } from '../../../../shared/core/environment.ts';
import { mayManage, session } from '../session.ts';

export function isLive({ status }: KeyView): boolean {
  return status === 'active' || status === 'expiring';
}

/** Whether a key can be created now: live keys need an approved organisation. */
export function mayCreate(environment: Environment): boolean {
  const isApproved = session.value?.organisation?.status === 'APPROVED';
  return mayManage(environment) && (environment === 'test' || isApproved);
}
