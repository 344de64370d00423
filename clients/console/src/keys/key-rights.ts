import type { KeyView } from '../../../../shared/accounts/console/views.ts';
import type { Environment } from '../../../../shared/core/environment.ts';
import { may, role, session } from '../session.ts';

export function isLive({ status }: KeyView): boolean {
  return status === 'active' || status === 'expiring';
}

/** Whether the person may create, rotate and revoke keys of an environment. Developers manage test keys only. */
export function mayManage(environment: Environment): boolean {
  return may('create-key') && (environment === 'test' || role.value === 'owner' || role.value === 'admin');
}

/** Whether a key can be created now: live keys need an approved organisation. */
export function mayCreate(environment: Environment): boolean {
  const isApproved = session.value?.organisation?.status === 'APPROVED';
  return mayManage(environment) && (environment === 'test' || isApproved);
}
