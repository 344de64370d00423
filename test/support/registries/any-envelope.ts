/** Returns a response body that fits the envelope of every provider except Paystack, with one record under all keys. */
export function bodyAround(record: unknown): unknown {
  return {
    found: true,
    entry: record,
    response_code: '00',
    data: record,
    entity: record,
    success: true,
    status: { state: 'complete', status: 'verified' },
    nin: record,
    bvn: record,
    cac: record,
    tin: record,
    nuban: record,
  };
}

/** Returns a record that every adapter accepts for the number `text`. */
export function recordAbout(text: string): Record<string, unknown> {
  const numbers = [
    'nin',
    'bvn',
    'rcNumber',
    'rc_number',
    'RC_Number',
    'tin',
    'search',
    'idNumber',
    'accountNumber',
  ];
  const names = [
    'firstname',
    'first_name',
    'firstName',
    'companyName',
    'company_name',
    'taxpayer_name',
    'name',
  ];
  return {
    ...Object.fromEntries(numbers.map((name) => [name, text])),
    ...Object.fromEntries(names.map((name) => [name, 'SOMEBODY'])),
    account_number: text,
    account_name: 'SOMEBODY',
    accountName: 'SOMEBODY',
    taxpayerName: 'SOMEBODY',
    status: 'found',
  };
}
