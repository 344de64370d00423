import { paginateScan } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from '@jest/globals';
import { setting } from '../../shared/core/config.ts';
import { collectRows, type Row } from '../../shared/core/database.ts';
import { numberLookUpsPk } from '../../shared/core/keys.ts';
import type { SessionView } from '../../shared/members/console/views.ts';
import type { OrganisationView } from '../../shared/profiles/console/views.ts';
import { cacEntry } from '../../shared/registries/sandbox/cac-entry.ts';
import { tinEntry } from '../../shared/registries/sandbox/tin-entry.ts';
import { type ConsoleClient, database, signIn } from '../support/console.ts';
import { rowsOf } from '../support/console-organisation.ts';
import { searchText } from './search-log.ts';

/** Whether strangers can use profiles of organisations to look up others (S95). */

const FIELDS = {
  address: ['1 Invented Way', 'Lagos'],
  billing_contact: { name: 'Chidi Invented', email: 'chidi@kainji.example' },
  privacy_contact: { name: 'Dayo Invented', email: 'dayo@kainji.example' },
};
const OWN = { company_number: 'RC7654321', tax_number: '87654321-0001' };
const OTHERS = Array.from({ length: 10 }, (_, index) => ({
  company_number: `RC88${index}0177`,
  tax_number: `88${index}01777-0001`,
}));
type Numbers = typeof OWN;

interface Stranger {
  readonly client: ConsoleClient;
  readonly id: string;
  version: number;
}

async function stranger(index: number): Promise<Stranger> {
  const client = await signIn(`stranger-${index}@look-ups.example`);
  const body = { name: `Stranger ${index}` };
  const { json } = await client.send<SessionView>('POST', '/organisations', { body });
  return { client, id: json?.data?.organisation?.id ?? '', version: 0 };
}

async function save(who: Stranger, numbers: Numbers): Promise<string> {
  const body = { ...FIELDS, ...numbers, version: who.version };
  const { json, text } = await who.client.send<OrganisationView>('PUT', '/organisation', { body });
  who.version = json?.data?.version ?? who.version;
  return text;
}

async function submit(who: Stranger): Promise<string> {
  const body = { terms_version: '2026-11', version: who.version };
  const sent = await who.client.send<OrganisationView>('POST', '/organisation/submit', { body });
  who.version = sent.json?.data?.version ?? who.version;
  return sent.text;
}

/** Returns the rows of Console about these organisations: other tests store rows too. */
async function allRows(strangers: readonly Stranger[]): Promise<Row[]> {
  const rows = await collectRows(
    paginateScan({ client: database }, { TableName: setting('CONSOLE_TABLE'), ConsistentRead: true }),
  );
  return rows.filter((row) => strangers.some(({ id }) => JSON.stringify(row).includes(id)));
}

const lookUpsOf = async (strangers: readonly Stranger[]): Promise<Row[]> =>
  (await Promise.all(strangers.map(({ id }) => rowsOf('CONSOLE_TABLE', numberLookUpsPk(id))))).flat();

describe('looking up others through profiles', () => {
  test('S95: twenty TIN and CAC numbers of others, through the profiles of five pending organisations', async () => {
    const numbers = OTHERS.flatMap((one) => Object.values(one));
    const taxpayers = OTHERS.map(({ tax_number }) => tinEntry(tax_number));
    const names = [
      ...OTHERS.map(({ company_number }) => String(cacEntry(company_number)['companyName'])),
      ...taxpayers.map((entry) => String(entry['taxpayer_name'])),
    ];
    const individuals = taxpayers
      .filter((entry) => entry['entity_type'] === 'INDIVIDUAL')
      .map((entry) => String(entry['taxpayer_name']));
    expect(individuals.length).toBeGreaterThan(0);

    const strangers = await Promise.all([0, 1, 2, 3, 4].map(stranger));
    const responses: string[] = [];
    let lookUps = 0;
    for (const [index, other] of OTHERS.entries()) {
      const who = strangers[index % strangers.length] as Stranger;
      responses.push(await save(who, other));
      expect(await lookUpsOf(strangers)).toHaveLength(lookUps);
      responses.push(await submit(who));
      lookUps += 2;
      expect(await lookUpsOf(strangers)).toHaveLength(lookUps);
      responses.push((await who.client.send('GET', '/organisation')).text);
    }
    expect(lookUps).toBe(20);
    expect(responses.filter((text) => text.includes('SUBMITTED'))).toHaveLength(20);
    expect(searchText(responses.join('\n'), names)).toEqual([]);
    expect(searchText(JSON.stringify(await allRows(strangers)), individuals)).toEqual([]);
    expect(searchText(JSON.stringify(await lookUpsOf(strangers)), [...names, ...numbers])).toEqual([]);

    // Only the profile itself contains its numbers, and for operators the names of companies.
    for (const who of strangers) await save(who, OWN);
    expect(searchText(JSON.stringify(await allRows(strangers)), [...names, ...numbers])).toEqual([]);
    expect(await lookUpsOf(strangers)).toHaveLength(20);
  });

  test('S95: twenty TIN and CAC numbers of others, by one person', async () => {
    const who = await stranger(5);
    const codes: string[] = [];
    for (const other of OTHERS) {
      await save(who, other);
      codes.push(JSON.parse(await submit(who)).code);
    }
    expect(codes).toEqual(['OK', 'OK', ...Array(8).fill('CHECK_LIMIT_REACHED')]);
    expect(await lookUpsOf([who])).toHaveLength(4);
  });
});
