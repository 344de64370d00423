import type { Recorder } from '../../audit/recorder.ts';
import { setting } from '../../core/config.ts';
import { database } from '../../core/database.ts';
import { createOwnOrganisation } from '../create-organisation.ts';
import type { ConsoleRun } from '../middleware/console-route.ts';
import type { SignedInRequest } from '../middleware/member-request.ts';
import { type NewOrganisationTable, newOrganisationTable } from '../new-organisation-table.ts';
import { organisationName } from '../organisation-name.ts';
import type { createOrganisationBody } from './bodies.ts';
import { readSessionView, type SessionViewDependencies } from './session-view.ts';

/** POST /organisations. The session continues in the new organisation. */
export function createOrganisation(
  organisations: (recorder: Recorder) => NewOrganisationTable,
  views: SessionViewDependencies,
): ConsoleRun<SignedInRequest, typeof createOrganisationBody, undefined> {
  return async (request, { name }) => {
    const { person, recorder, nowMs } = request;
    const tables = { organisations: organisations(recorder), memberships: views.memberships };
    const { organisationId } = await createOwnOrganisation(person, organisationName(name), tables, nowMs);
    return {
      data: await readSessionView(request, organisationId, views),
      cookies: [request.cookieFor(organisationId)],
    };
  };
}

export function newOrganisations(): (recorder: Recorder) => NewOrganisationTable {
  const client = database();
  const tables = { console: setting('CONSOLE_TABLE'), apiKeys: setting('API_KEYS_TABLE') };
  return (recorder) => newOrganisationTable(client, tables, recorder);
}
