import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { HOUR_MS } from '../../shared/core/clock.ts';
import { json, runInProcess } from './run-in-process.ts';
import { startTestDeployment, type TestDeployment } from './test-deployment.ts';

/** The price list and billing details, which every order needs. */

interface Lists {
  readonly koboPerCredit: number | null;
  readonly prices: readonly { organisation: string | null; koboPerCredit: number | null; from: string }[];
}

const environment = { ...process.env };
let deployment: TestDeployment;
let id: string;
beforeAll(async () => {
  deployment = await startTestDeployment();
  process.env['LOCAL_SERVICE_FILE'] = deployment.serviceFile;
});
beforeEach(async () => {
  ({ id } = await deployment.operator.createOrganisation('Harmattan Credit'));
});
afterAll(async () => {
  process.env = environment;
  await deployment.close();
});

const admin = (...args: readonly string[]) => runInProcess(['--local', '--yes', ...args]);
const reason = ['--reason', 'contract of November'];
const inAnHour = () => new Date(Date.now() + HOUR_MS).toISOString();

describe('price', () => {
  test('set adds a price for the stage, and the price of an organisation overrides it until it ends', async () => {
    await json('price', 'set', '150', ...reason);
    expect(await json<Lists>('price', 'list', '--org', id)).toMatchObject({ koboPerCredit: 15_000 });

    await json('price', 'set', '149.50', '--org', id, ...reason);
    const own = await json<Lists>('price', 'list', '--org', id);
    expect(own.koboPerCredit).toBe(14_950);
    expect(own.prices.filter(({ organisation }) => organisation === id)).toHaveLength(1);
    expect((await json<Lists>('price', 'list')).koboPerCredit).toBe(15_000);

    expect(await json('price', 'end', '--org', id, ...reason)).toMatchObject({ koboPerCredit: null });
    const ended = await json<Lists>('price', 'list', '--org', id);
    expect(ended.koboPerCredit).toBe(15_000);
    // The history stays.
    expect(ended.prices.filter(({ organisation }) => organisation === id)).toHaveLength(2);
  });

  test('set with a later time changes nothing before it', async () => {
    await json('price', 'set', '120', '--org', id, ...reason);
    const from = inAnHour();
    expect(await json('price', 'set', '130', '--org', id, '--from', from, ...reason)).toMatchObject({ from });
    expect((await json<Lists>('price', 'list', '--org', id)).koboPerCredit).toBe(12_000);
  });

  test('is never edited, and cannot apply from a past time', async () => {
    const from = inAnHour();
    await json('price', 'set', '130', '--org', id, '--from', from, ...reason);
    const again = await admin('price', 'set', '131', '--org', id, '--from', from, ...reason);
    expect(again).toMatchObject({ code: 1, stdout: '' });
    expect(again.stderr).toMatch(/^The price list already has a price from .* A price is never edited/);
    const past = await admin('price', 'set', '131', '--org', id, '--from', '2026-01-01', ...reason);
    expect(past).toMatchObject({ code: 1, stdout: '' });
    expect(past.stderr).toMatch(
      /^The price would apply from 2026-01-01T00:00:00.000Z, which is in the past\./,
    );
    expect(
      (await json<Lists>('price', 'list', '--org', id)).prices.filter((row) => row.organisation === id),
    ).toHaveLength(1);
  });

  test('end rejects an organisation without a price of its own', async () => {
    const { code, stderr } = await admin('price', 'end', '--org', id, ...reason);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^The organisation has no price of its own at .*, so there is none to end\./);
  });

  test.each(['0', '0.001', '-5', '1,000', '1000000.01', 'free'])(
    'set rejects the price %s',
    async (price) => {
      expect((await admin('price', 'set', '--org', id, ...reason, '--', price)).code).toBe(2);
      expect(
        (await json<Lists>('price', 'list', '--org', id)).prices.some((row) => row.organisation === id),
      ).toBe(false);
    },
  );

  test('set shows the name and the price before it asks for confirmation', async () => {
    await json('price', 'set', '150', ...reason);
    const asked = await runInProcess(['--local', 'price', 'set', '149.50', '--org', id, ...reason]);
    expect(asked.code).toBe(2);
    expect(asked.stderr.replaceAll(/\s+/g, ' ')).toContain(
      `Set the price of one credit to ₦149.50 without VAT (now ₦150.00, the price of the stage) for Harmattan Credit (${id}) from now on?`,
    );
  });
});

describe('billing', () => {
  const details = [
    ...['--name', 'Harmattan Credit Ltd', '--address', '1 Invented Way', '--address', 'Ikeja, Lagos'],
    ...['--tax-number', '123456780001', '--email', 'accounts@harmattan.example'],
  ];

  test('set stores all details, and later changes only those that are given', async () => {
    expect(await json('billing', 'set', id, ...details)).toMatchObject({
      name: 'Harmattan Credit Ltd',
      address: ['1 Invented Way', 'Ikeja, Lagos'],
      taxNumber: '12345678-0001',
      email: 'accounts@harmattan.example',
    });
    await json('billing', 'set', id, '--email', 'billing@harmattan.example');
    const shown = await admin('billing', 'show', id);
    expect(shown.stdout).toMatch(
      /^name {8}Harmattan Credit Ltd\naddress {5}1 Invented Way\n {12}Ikeja, Lagos\ntax number {2}12345678-0001\nemail {7}billing@harmattan\.example\nchanged {5}\S+Z by \S+\n$/,
    );
  });

  test('set refuses to store details while one that an invoice needs is missing', async () => {
    const { code, stderr } = await admin('billing', 'set', id, '--name', 'Harmattan Credit Ltd');
    expect(code).toBe(1);
    expect(stderr).toBe(
      'An invoice needs all billing details, and these are not set yet: --address, --tax-number, --email. Nothing was changed.\n',
    );
    expect((await admin('billing', 'show', id)).stdout).toMatch(/^No billing details are set/);
  });

  test('set does not overwrite a change that another command makes at the same time', async () => {
    await json('billing', 'set', id, ...details);
    const read = deployment.operator.billingOf.bind(deployment.operator);
    const stored = await read(id);
    const { billingTable } = await import('../../shared/payments/prices/billing-table.ts');
    const table = billingTable(deployment.client, deployment.tables.payments);
    await json('billing', 'set', id, '--email', 'first@harmattan.example');
    if (!stored) throw new Error('There are no billing details.');
    expect(await table.putBilling(id, stored, { ...stored, email: 'second@harmattan.example' })).toBe(false);
    expect(await read(id)).toMatchObject({ email: 'first@harmattan.example' });
  });
});
