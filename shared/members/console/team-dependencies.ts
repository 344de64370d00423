import { setting } from '../../core/config.ts';
import { database } from '../../core/database.ts';
import { invitationTable } from '../invitation-table.ts';
import type { SendMail } from '../mail.ts';
import { memberTable } from '../member-table.ts';
import { sesMail } from '../ses-mail.ts';
import type { TeamDependencies } from './team.ts';

/** Called once per instance. */
export function teamDependencies(): TeamDependencies {
  const client = database();
  const tableName = setting('CONSOLE_TABLE');
  return {
    members: (recorder) => memberTable(client, tableName, recorder),
    invitations: (recorder) => invitationTable(client, tableName, recorder),
  };
}

export function consoleMail(): SendMail {
  return sesMail(setting('MAIL_FROM'));
}
