import { ServiceError } from '../../core/errors.ts';
import type { ConsoleResult } from '../../http/console/context.ts';
import type { SignedInRequest } from '../middleware/member-request.ts';
import { isOrganisationId } from '../session.ts';
import type { SwitchBody } from './bodies.ts';
import { readSessionView, type SessionViewDependencies } from './session-view.ts';

/** POST /session/organisation */
export function switchOrganisation(deps: SessionViewDependencies) {
  return async (request: SignedInRequest, { organisation_id: id }: SwitchBody): Promise<ConsoleResult> => {
    // The same error as for an unknown ID. A very long ID would exceed the table's limit for keys.
    if (!isOrganisationId(id)) throw new ServiceError('RESOURCE_NOT_FOUND');
    return { data: await readSessionView(request, id, deps), cookies: [request.cookieFor(id)] };
  };
}
