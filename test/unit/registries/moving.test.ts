import { describe, expect, test } from '@jest/globals';
import vendorFields from '../../../docs/vendor-fields.json' with { type: 'json' };
import type { RegistryQuery, RegistryResult } from '../../../shared/registries/port.ts';
import { readDojahResult } from '../../../shared/registries/providers/dojah/result.ts';
import { readPremblyResult } from '../../../shared/registries/providers/prembly/result.ts';

/** Tests that the table in docs/guides/move.md maps fields as our own adapters do. */

type MovedType = keyof typeof vendorFields;

const NUMBERS: Readonly<Record<MovedType, string>> = {
  NIN: '12345678901',
  BVN: '22222222222',
  CAC: 'RC1234567',
  TIN: '18609323-0001',
  NUBAN: '0123456789',
};
/** Bytes that the service accepts as a JPEG. */
const PICTURE = Buffer.from([
  0xff,
  0xd8,
  0xff,
  0xe0,
  ...Array.from({ length: 120 }, () => 7),
  0xff,
  0xd9,
]).toString('base64');
/** At least one of these values of a vendor's field changes our record. */
const VALUES = ['Ngozi', '08031234567', '1990-02-01', 'Male', PICTURE, '4711', 'true'];

type Read = (query: RegistryQuery, entry: Readonly<Record<string, unknown>>) => RegistryResult;
interface Vendor {
  readonly read: Read;
  /** For each ID type, the fields that make a response a record of the number. */
  readonly least: Readonly<Record<MovedType, Readonly<Record<string, unknown>>>>;
}

const VENDORS: Readonly<Record<string, Vendor>> = {
  dojah: {
    read: (query, entity) => readDojahResult(query, { entity }),
    least: {
      NIN: { nin: NUMBERS.NIN, first_name: 'A', last_name: 'B' },
      BVN: { bvn: NUMBERS.BVN, first_name: 'A', last_name: 'B' },
      CAC: { rc_number: '1234567', company_name: 'A' },
      TIN: { search: NUMBERS.TIN, taxpayer_name: 'A' },
      NUBAN: { account_number: NUMBERS.NUBAN, account_name: 'A' },
    },
  },
  prembly: {
    read: (query, data) => readPremblyResult(query, { response_code: '00', data }),
    least: {
      NIN: { nin: NUMBERS.NIN, firstname: 'A', surname: 'B' },
      BVN: { bvn: NUMBERS.BVN, firstName: 'A', lastName: 'B' },
      CAC: { rc_number: '1234567', company_type: 'RC', company_name: 'A' },
      TIN: { search: NUMBERS.TIN, taxpayer_name: 'A' },
      NUBAN: { account_number: NUMBERS.NUBAN, account_name: 'A' },
    },
  },
};

interface Row {
  readonly idType: MovedType;
  readonly theirs: string;
  readonly ours: string;
}

/** The fields of each vendor that become one of our fields. */
type Fields = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

function rowsOf(vendor: string): Row[] {
  return Object.entries(vendorFields as Readonly<Record<string, Fields>>).flatMap(([idType, fields]) =>
    Object.entries(fields).flatMap(([ours, names]) =>
      (names[vendor] ?? []).map((theirs) => ({ idType: idType as MovedType, theirs, ours })),
    ),
  );
}

function recordOf({ read, least }: Vendor, idType: MovedType, entry: object): Map<string, string> {
  const number = NUMBERS[idType];
  const query: RegistryQuery = { idType, level: 'premium', number, bankCode: '058', deadlineMs: 0 };
  const result = read(query, { ...least[idType], ...entry });
  return result.kind === 'found' ? new Map(flat(result.record)) : new Map();
}

function flat(value: object, path = ''): [string, string][] {
  return Object.entries(value).flatMap(([name, one]): [string, string][] =>
    typeof one === 'object' && one !== null
      ? flat(one, `${path}${name}.`)
      : [[path + name, JSON.stringify(one)]],
  );
}

/** Returns the fields of our record that change if the vendor's field has a value. */
function changedBy(vendor: Vendor, { idType, theirs }: Row): Set<string> {
  // `Name_of_Company` is used only if `company_name` is empty.
  const least = theirs === 'Name_of_Company' ? { company_name: '', [theirs]: 'A' } : {};
  const before = recordOf(vendor, idType, least);
  if (before.size === 0) throw new Error(`The least record of ${idType} is not found.`);
  const changed = VALUES.flatMap((value) =>
    [...recordOf(vendor, idType, { ...least, [theirs]: value })].filter(
      ([path, one]) => before.get(path) !== one,
    ),
  );
  return new Set(changed.map(([path]) => path));
}

describe.each(Object.entries(VENDORS))('the guide for moving from %s', (name, vendor) => {
  const rows = rowsOf(name);

  test('names fields of all ID types', () => {
    expect(new Set(rows.map(({ idType }) => idType))).toEqual(new Set(Object.keys(NUMBERS)));
    expect(rows.length).toBeGreaterThan(60);
  });

  test.each(rows)('$idType: $theirs is $ours', (row) => {
    expect([...changedBy(vendor, row)]).toEqual([row.ours]);
  });
});
