/**
 * Values that are small enough for the HTTP client but too large for everything after it (contract D7). Each is the
 * JSON text of one field of a record.
 */
export const HOSTILE_TEXTS: Readonly<Record<string, string>> = {
  '2 MB of combining marks': JSON.stringify('\u0301\u0323'.repeat(500_000)),
  'a string of 1.9 MB': JSON.stringify('A'.repeat(1_900_000)),
  'a string of 601 characters': JSON.stringify('A'.repeat(601)),
  '1.9 MB of control characters': JSON.stringify('\u0001'.repeat(316_000)),
  'deep nesting instead of a string': '['.repeat(20_000) + ']'.repeat(20_000),
};

export const HOSTILE_LISTS: Readonly<Record<string, string>> = {
  '20,000 directors': JSON.stringify(Array(20_000).fill({ surname: 'A' })),
  '10,000 numbers instead of entries': JSON.stringify(Array(10_000).fill(7)),
  '501 directors': JSON.stringify(Array(501).fill({})),
};

export const HOSTILE_BODIES: Readonly<Record<string, string>> = {
  'a million nested lists': '['.repeat(1_000_000) + ']'.repeat(1_000_000),
  '690,000 objects in a list': `[${'{},'.repeat(690_000)}{}]`,
  '120,000 fields': `{${Array.from({ length: 120_000 }, (_, index) => `"f${index}":1`).join()}}`,
};

/**
 * The largest permitted number of directors, with names of the largest permitted length. Each quotation mark in a name
 * takes two bytes in the provider's response, but four in the response that Lambda sends.
 */
export const ESCAPED_DIRECTORS = JSON.stringify(
  Array(500).fill({
    ...{ surname: '"'.repeat(600), firstname: '"'.repeat(600), otherName: '"'.repeat(600) },
    affiliateType: 'DIRECTOR',
  }),
);

/** Fields in which adapters expect a name, and fields in which they expect a list. Each adapter reads some of them. */
export const NAME_FIELDS = [
  'firstname',
  'first_name',
  'firstName',
  'companyName',
  'company_name',
  'taxpayer_name',
  'taxpayerName',
  'name',
  'account_name',
  'accountName',
];
export const LIST_FIELDS = ['affiliates', 'affiliatesData', 'directors'];

export function bodyWith(
  provider: string,
  idType: string,
  record: Readonly<Record<string, unknown>>,
  field: string,
  json: string,
): string {
  const body = JSON.stringify(envelopeOf(provider, idType, { ...record, [field]: '<field>' }));
  return body.replace('"<field>"', () => json);
}

/** Returns a record in the envelope of a provider. Unlike `bodyAround`, includes the record only once. */
export function envelopeOf(provider: string, idType: string, record: unknown): unknown {
  const envelopes: Readonly<Record<string, unknown>> = {
    sandbox: { found: true, entry: record },
    prembly: { response_code: '00', data: record },
    dojah: { entity: record },
    qoreid: { status: { state: 'complete', status: 'verified' }, [idType.toLowerCase()]: record },
    youverify: { success: true, data: record },
    paystack: { status: true, data: record },
  };
  const envelope = envelopes[provider];
  if (!envelope) throw new Error(`Add the envelope of ${provider} to ${import.meta.filename}.`);
  return envelope;
}
