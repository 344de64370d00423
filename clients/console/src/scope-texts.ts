export const scopeTexts: Readonly<Record<string, { readonly name: string; readonly hint: string }>> = {
  'verify:*': {
    name: 'All look-ups',
    hint: 'Every service except slips, including services that are added later.',
  },
  'match:*': {
    name: 'All matches',
    hint: 'Only whether a person’s details match a NIN or BVN. The key never receives a record.',
  },
  'verify:nin-basic': { name: 'NIN Basic', hint: 'Look up the main details and photo of a NIN.' },
  'verify:nin-premium': { name: 'NIN Premium', hint: 'Look up the complete record of a NIN.' },
  'verify:bvn-basic': { name: 'BVN Basic', hint: 'Look up the main details and photo of a BVN.' },
  'verify:bvn-premium': { name: 'BVN Premium', hint: 'Look up the complete record of a BVN.' },
  'verify:cac-basic': { name: 'CAC Basic', hint: 'Look up a company or a business name.' },
  'verify:cac-premium': {
    name: 'CAC Premium',
    hint: 'Look up a business with its shareholders and the people who control it.',
  },
  'verify:tin-basic': { name: 'TIN', hint: 'Look up a taxpayer.' },
  'verify:nuban-basic': { name: 'NUBAN', hint: 'Look up the holder of a bank account.' },
  'match:nin-basic': {
    name: 'Match with NIN Basic',
    hint: 'Only whether a person’s details match, without the record.',
  },
  'match:nin-premium': {
    name: 'Match with NIN Premium',
    hint: 'Only whether a person’s details match, without the record.',
  },
  'match:bvn-basic': {
    name: 'Match with BVN Basic',
    hint: 'Only whether a person’s details match, without the record.',
  },
  'match:bvn-premium': {
    name: 'Match with BVN Premium',
    hint: 'Only whether a person’s details match, without the record.',
  },
  'slip:read': {
    name: 'NIN slips',
    hint: 'Download the slip of a NIN that has been verified.',
  },
  'slip:revoke': { name: 'Withdraw slips', hint: 'Make the check page of a slip say that it was withdrawn.' },
  'wallet:read': { name: 'Read the wallet', hint: 'Balance, statement and invoices.' },
  'verification:read': { name: 'Read the log', hint: 'Which look-ups were made, without their records.' },
  'wallet:pay': {
    name: 'Buy credits',
    hint: 'Start payments for credits. Only keys with this scope can do so.',
  },
};
