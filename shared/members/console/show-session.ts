import type { ConsoleResult } from '../../http/console/context.ts';
import type { SignedInRequest } from '../middleware/member-request.ts';
import { readSessionView, type SessionViewDependencies } from './session-view.ts';

export function showSession(deps: SessionViewDependencies) {
  return async (request: SignedInRequest): Promise<ConsoleResult> => ({
    data: await readSessionView(request, request.organisation?.id, deps),
  });
}
