import { organisationTable } from '../../shared/accounts/organisation-table.ts';
import { alertChoiceTable } from '../../shared/alerts/alert-choice-table.ts';
import { alertTable } from '../../shared/alerts/alert-table.ts';
import { handleEvent } from '../../shared/alerts/send-alerts.ts';
import { setting } from '../../shared/core/config.ts';
import { database } from '../../shared/core/database.ts';
import { logFailure } from '../../shared/core/log-failure.ts';
import type { BusEvent } from '../../shared/events/received-event.ts';
import { shardTable } from '../../shared/ledger/tables/shard-table.ts';
import { memberTable } from '../../shared/members/member-table.ts';
import { sesMail } from '../../shared/members/ses-mail.ts';

const client = database();
const consoleTable = setting('CONSOLE_TABLE');
const deps = {
  choices: alertChoiceTable(client, consoleTable),
  alerts: alertTable(client, consoleTable),
  members: memberTable(client, consoleTable),
  organisations: organisationTable(client, setting('API_KEYS_TABLE')),
  shards: shardTable(client, setting('WALLETS_TABLE')),
  sendMail: sesMail(setting('MAIL_FROM')),
  consoleUrl: setting('LINKED_CONSOLE_URL'),
};

/** Runs for each event on the bus that becomes an alert: stores the alert and sends its emails. */
export const handler = logFailure((event: BusEvent) => handleEvent(event, deps));
