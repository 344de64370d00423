import type { Role } from '../../../shared/console/role.ts';
import type { HomeStep, HomeView, OrganisationStatus } from '../../../shared/console/views.ts';
import type { Environment } from '../../../shared/core/environment.ts';
import { formatNumber } from './format.ts';

export { sharedTexts } from './shared-texts.ts';

/** All texts of the console, by page. Sentences about a rejected request come from the API. */

export const roleNames: Readonly<Record<Role, string>> = {
  owner: 'Owner',
  admin: 'Administrator',
  developer: 'Developer',
  finance: 'Finance',
  viewer: 'Viewer',
};

/** Also the labels of the navigation. */
export const pageTitles = {
  home: 'Home',
  keys: 'API keys',
  services: 'Services',
  team: 'Team',
  organisation: 'Organisation',
  audit: 'Audit trail',
};

export const shellTexts = {
  skip: 'Skip to the content',
  menu: 'Menu',
  navigation: 'Pages',
  environment: 'Environment',
  test: 'Test',
  live: 'Live',
  testBar: 'Test: sandbox records, no live look-ups.',
  organisations: 'Your organisations',
  newOrganisation: 'Create an organisation',
  account: 'Your account',
  signOut: 'Sign out',
  signOutEverywhere: 'Sign out on all devices',
  documentation: 'Documentation',
  support: 'Support',
  timesInLagos: 'Times are Nigerian time (Africa/Lagos, UTC+1).',
  timesInUtc: 'Times are in UTC.',
  showUtc: 'Show UTC',
  showLagos: 'Show Nigerian time',
  notFoundTitle: 'Page not found',
  notFound: 'There is no page at this address.',
  toHome: 'Go to Home',
  notLoadedTitle: 'Page not loaded',
  notLoaded: 'This page could not be loaded. Check your connection, then retry.',
};

export const signInTexts = {
  title: 'Sign in',
  lead: 'Manage your organisation, its team, its API keys and its services.',
  signedOut: 'You are signed out. Sign in to continue where you were.',
  failed: 'The sign-in was not completed. Try again.',
  action: 'Sign in',
  newHere: 'New here? The same button lets you create an account.',
};

export const keysTexts = {
  lead: 'Your servers send an API key with each request. Each key works in one environment only.',
  create: 'Create key',
  caption: (environment: string) => `API keys, ${environment}`,
  heads: {
    label: 'Label',
    lastUsed: 'Last used',
    expires: 'Expires',
    limits: 'Limits',
    actions: 'Actions',
  },
  ending: (ending: string) => `ends in ${ending}`,
  createdBy: (name: string | null) => `created by ${name ?? 'the operator'}`,
  unused: 'Never',
  network: (network: string) => `from ${network}`,
  states: { active: '', expiring: 'Replaced', expired: 'Expired', revoked: 'Revoked' },
  expiry: { past: 'Expired', end: 'Stops working' },
  everything: 'Everything except payments',
  fromAddresses: (addresses: readonly string[]) => `Only from ${addresses.join(', ')}`,
  manyAddresses: (count: number) => `Only from ${count} addresses`,
  rotate: 'Rotate',
  revoke: 'Revoke',
  aboutKey: (label: string, ending: string) => `the key ${label}, which ends in ${ending}`,
  showInactive: (count: number) => `Show revoked and expired keys (${count})`,
  revoked: (label: string) => `The key ${label} is revoked.`,
  refresh: 'Refresh',
  refreshed: 'The list is up to date.',
  noneTest: 'There is no test key yet.',
  noneTestHint: 'A test key works at once. The sandbox invents its records.',
  noneLive: 'There is no live key yet.',
  noneLiveHint: 'A live key looks up real records. Look-ups cost credits.',
  onlyManagers: 'Only owners and administrators can create, rotate or revoke live keys.',
  notApproved: 'You can create live keys once your organisation is approved. Test keys work now.',
  toOrganisation: 'See what is missing',
  dialogNotLoaded: 'This part of the page could not be loaded. Check your connection, then retry.',
};

/** What an API key may do, by scope. */
export const scopeTexts: Readonly<Record<string, { readonly name: string; readonly hint: string }>> = {
  'verify:*': {
    name: 'All look-ups',
    hint: 'Every service except slips, including services that are added later.',
  },
  'verify:nin-basic': { name: 'NIN Basic', hint: 'Look up names, date of birth and photo of a NIN.' },
  'verify:nin-premium': { name: 'NIN Premium', hint: 'Look up the complete record of a NIN.' },
  'verify:bvn-basic': { name: 'BVN Basic', hint: 'Look up names, date of birth and photo of a BVN.' },
  'verify:bvn-premium': { name: 'BVN Premium', hint: 'Look up the complete record of a BVN.' },
  'verify:cac-basic': { name: 'CAC Basic', hint: 'Look up a company or a business name.' },
  'verify:cac-premium': {
    name: 'CAC Premium',
    hint: 'Look up a business with its shareholders and the people who control it.',
  },
  'verify:tin-basic': { name: 'TIN', hint: 'Look up a taxpayer.' },
  'verify:nuban-basic': { name: 'NUBAN', hint: 'Look up the holder of a bank account.' },
  'slip:read': { name: 'NIN slips', hint: 'Download the slip of a NIN that was verified before.' },
  'wallet:read': { name: 'Read the wallet', hint: 'Balance, statement and invoices.' },
  'verification:read': { name: 'Read the log', hint: 'Which look-ups were made, without their records.' },
  'wallet:pay': {
    name: 'Buy credits',
    hint: 'Start payments for credits. Only keys with this scope can do so.',
  },
};

export const keyDialogTexts = {
  create: 'Create key',
  createTitle: 'Create an API key',
  label: 'Label',
  labelHint: 'Statements and logs show the label instead of the key. For example: backend.',
  environment: 'Environment',
  environments: {
    test: { label: 'Test', hint: 'Sandbox records. Costs test credits only.' },
    live: { label: 'Live', hint: 'Real records from the registries. Costs credits.' },
  },
  permissions: 'Scopes: what may the key do?',
  permissionChoices: {
    all: { label: 'Everything except payments', hint: 'Including services that you enable later.' },
    chosen: { label: 'Only what I choose', hint: 'Safer: a stolen key can do less.' },
  },
  scopeProblem: 'Choose at least one scope.',
  scopeGroups: {
    NIN: 'NIN',
    BVN: 'BVN',
    CAC: 'CAC',
    TIN: 'TIN',
    NUBAN: 'NUBAN',
    account: 'Wallet and log',
  } as Readonly<Record<string, string>>,
  addresses: 'IP addresses',
  addressesHint:
    'Addresses or networks of your servers, one on each line, such as 203.0.113.0/24. If this is empty, the key works from anywhere.',
  expires: 'Expires',
  expiryChoices: {
    '30': 'In 30 days',
    '90': 'In 90 days',
    '365': 'In one year',
    '730': 'In two years',
    never: 'Never',
  },
  expiryHint: 'An expired key stops working, so a forgotten copy of it becomes useless.',
  createdTitle: 'Store the new key now',
  rotatedTitle: 'Store the key that replaces the old one',
  shownOnce: 'The key is shown only once. Copy it to the secret store of your servers.',
  oldKeyUntil: 'The old key works until',
  oldKeyStopped: 'The old key no longer works.',
  key: 'API key',
  tryIt: 'Try it',
  tryLookUp: 'Paste this command into a terminal. It looks up an invented record, and costs one test credit.',
  tryFree:
    'Paste this command into a terminal. It lists the banks, which is free, and shows that the key works.',
  tryFrom: 'Run it on a computer whose IP address the key allows.',
  line: 'command',
  stored: 'I have stored the key',
  done: 'Done',
  rotateTitle: (label: string) => `Rotate ${label}`,
  rotateText:
    'You get a new key with the same label and limits. Store it on your servers while the old key still works.',
  grace: 'The old key works for',
  graceChoices: {
    '0': 'Not at all: it stops now',
    '1': '1 hour',
    '24': '24 hours',
    '72': '3 days',
    '168': '7 days',
  },
  rotateAction: 'Rotate key',
  revokeTitle: (label: string) => `Revoke ${label}?`,
  revokeText:
    'Programs that use this key get the error 401 INVALID_API_KEY from their next request on. This cannot be undone.',
  revokeAction: 'Revoke key',
  lastUsed: 'Last used',
  ending: (ending: string) => `ends in ${ending}`,
  network: (network: string) => `from ${network}`,
  lastUsedNever: 'This key has never been used.',
};

export const servicesTexts = {
  lead: 'Choose what your live keys may look up. You pay only for records that are found.',
  testNote: 'Test keys can use every service. The switches apply to live keys only.',
  onlyManagers: 'Only owners and administrators can enable and disable services.',
  price: (credits: string, isOne: boolean) =>
    `${credits} ${isOne ? 'credit' : 'credits'} for each record found`,
  slipPrice: (credits: string, isOne: boolean) => `${credits} ${isOne ? 'credit' : 'credits'} for each slip`,
  enabled: 'On',
  disabled: 'Off',
  returns: (count: number) => `What it returns: ${count} fields`,
  consent: 'The consent that you need',
  enabledNow: (name: string) => `${name} is on. Live keys can use it now.`,
  disabledNow: (name: string) => `${name} is off.`,
  disableTitle: (name: string) => `Disable ${name}?`,
  disableText:
    'Live requests for this service will get the error 401 SUBSCRIPTION_REQUIRED. Your price is kept for when you enable it again.',
  disableAction: 'Disable',
  adviceTitle: 'About consent',
  advice:
    'Your organisation needs a lawful basis for each look-up, and must be able to prove it (Nigeria Data Protection Act 2023, sections 25 and 26). Send your reference for the consent as “consent”, and the purpose as “reason”: the log keeps both. This is a summary, not legal advice.',
  idTypes: {
    NIN: 'National Identification Number (NIN)',
    BVN: 'Bank Verification Number (BVN)',
    CAC: 'Company registrations (CAC)',
    TIN: 'Tax numbers (TIN)',
    NUBAN: 'Bank accounts (NUBAN)',
  },
  services: {
    'nin-basic': {
      name: 'NIN Basic',
      about: 'Names, date of birth, phone number, address and photo.',
      consent:
        'Get the holder’s consent for your purpose, such as opening an account. A photo that you compare with a face is sensitive data: section 30 of the Act sets stricter rules.',
    },
    'nin-premium': {
      name: 'NIN Premium',
      about: 'The complete record, with next of kin (masked) and marital status.',
      consent:
        'Get the holder’s consent for your purpose. Religion, marital status and a photo for face comparison are sensitive data: section 30 of the Act sets stricter rules. Use NIN Basic where it is enough.',
    },
    'nin-slip': {
      name: 'NIN slip',
      about: 'A PDF of a NIN that your organisation has verified.',
      consent:
        'The consent must also cover the slip, because it shows the record on paper. Give the slip only to the holder, or to people with a lawful basis of their own.',
    },
    'bvn-basic': {
      name: 'BVN Basic',
      about: 'Names, date of birth, phone number and photo.',
      consent:
        'The BVN rules of the Central Bank of Nigeria require the holder’s consent before each look-up. Do not store the BVN itself without need.',
    },
    'bvn-premium': {
      name: 'BVN Premium',
      about: 'The complete record, with enrolment, address and photo.',
      consent:
        'The BVN rules of the Central Bank of Nigeria require the holder’s consent before each look-up. Marital status and a photo for face comparison are sensitive data. Use BVN Basic where it is enough.',
    },
    'cac-basic': {
      name: 'CAC Basic',
      about: 'Name, number, address, status and directors of a registered business.',
      consent:
        'The company itself need not consent: the register is public. The record also names people: you need a lawful basis for using their data, such as checking a business customer.',
    },
    'cac-premium': {
      name: 'CAC Premium',
      about: 'Everything in CAC Basic, with shareholders and people with significant control.',
      consent:
        'The record names people: you need a lawful basis for using their data, such as a legal duty to know who owns a business customer.',
    },
    'tin-basic': {
      name: 'TIN',
      about: 'Name, tax office and type of a taxpayer.',
      consent:
        'Get the taxpayer’s consent, and send its reference: some providers look up a tax number only with it.',
    },
    'nuban-basic': {
      name: 'NUBAN',
      about: 'The holder’s name and the bank of an account.',
      consent: 'You need a lawful basis, such as a payment to this account that its holder expects.',
    },
  } as Readonly<Record<string, { readonly name: string; readonly about: string; readonly consent: string }>>,
  none: 'No services are available yet.',
};

export const auditTexts = {
  lead: 'Every change to your organisation: who made it, what changed, and from where.',
  search: 'Search',
  searchHint: 'A name, what was changed, or an action such as “key create”. Details show the action.',
  from: 'From (UTC)',
  to: 'To (UTC)',
  filter: 'Show',
  reset: 'Clear',
  caption: 'Changes, newest first',
  heads: { when: 'When', who: 'Who', what: 'What', where: 'IP address', details: 'Details' },
  noAddress: 'Not recorded',
  showDetails: 'Show',
  aboutChange: (action: string) => `details of ${action}`,
  before: 'Before',
  after: 'After',
  noValue: 'none',
  action: 'Action',
  request: 'Request ID',
  change: 'Change ID',
  none: 'No changes were found.',
  noneHint: 'Try other words or a longer period.',
  older: 'Load older',
  noOlder: 'There are no older changes.',
  noneYet: 'Nothing was found among the latest changes.',
  noneYetHint: 'Load older changes to search further back.',
  shown: (count: string, isOne: boolean) => `${count} ${isOne ? 'change is' : 'changes are'} shown.`,
  export: 'Export CSV',
  exportTitle: 'Export the audit trail',
  count: (count: string, isOne: boolean) => `${count} ${isOne ? 'change' : 'changes'}`,
  actions: {
    'organisation create': 'Created the organisation',
    'organisation update': 'Changed the profile',
    'organisation submit': 'Submitted the organisation for approval',
    'invitation accept': 'Accepted an invitation',
    'invitation cancel': 'Cancelled an invitation',
    'member invite': 'Invited a member',
    'member change': 'Changed a role',
    'member remove': 'Removed a member',
    'key create': 'Created an API key',
    'key rotate': 'Rotated an API key',
    'key revoke': 'Revoked an API key',
    'test credits': 'Took test credits',
    'service change': 'Enabled or disabled a service',
    'billing update': 'Changed the billing details',
    'balance alert': 'Changed the low-balance warning',
    'top-up start': 'Started a top-up',
    'playground request': 'Sent a test request',
    'alerts change': 'Changed the alerts',
    'session end everywhere': 'Signed out on all devices',
    'member erase': 'Erased the name and email address of a removed member',
    'org create': 'Created the organisation',
    'org approve': 'Approved the organisation',
    'org suspend': 'Suspended the organisation',
    'org set-rate': 'Changed the request limit',
    'org set-low-balance': 'Changed the low-balance warning',
    'service enable': 'Enabled a service',
    'service disable': 'Disabled a service',
    'service set-price': 'Changed a price',
    'price set': 'Changed the price of credits',
    'wallet top-up': 'Added credits',
    'wallet correct': 'Corrected the wallet',
    'wallet set-shards': 'Changed the capacity of the wallet',
    'billing set': 'Changed the billing details',
  } as Readonly<Record<string, string>>,
};

export const exportTexts = {
  soFar: (count: string) => `${count} so far`,
  finished: (count: string) => `The file has ${count}.`,
  progress: 'Progress of the export',
  save: 'Save the file again',
};

export const homeTexts = {
  nextStep: 'Next step',
  progress: (done: number, all: number) => `${done} of ${all} steps done`,
  done: 'Done',
  open: 'To do',
  notYours: 'Ask an owner or administrator of the organisation to do this.',
  steps: {
    'test-key': {
      title: 'Create a test key',
      text: 'With a test key you can send requests to the sandbox at once. It invents every record.',
      action: 'Create a test key',
    },
    'first-request': {
      title: 'Send a test request',
      text: 'The quick start has a request to paste. It verifies a number in the sandbox.',
      action: 'Open the documentation',
    },
    profile: {
      title: 'Fill in the profile of the organisation',
      text: 'Company number, tax number, address and contacts. The numbers are looked up when you save, at no cost to you.',
      action: 'Fill in the profile',
    },
    submit: {
      title: 'Accept the terms and submit',
      text: 'We then check your organisation. Live requests work once it is approved.',
      action: 'Review and submit',
    },
    approval: {
      title: 'Wait for approval',
      text: 'We are checking your organisation. You do not need to do anything. Test keys keep working.',
      action: undefined,
    },
    service: {
      title: 'Enable a service',
      text: 'Live requests need an enabled service. Each service shows its price and what it returns.',
      action: 'Choose services',
    },
    'top-up': {
      title: 'Top up the live wallet',
      text: 'Live requests cost credits. Buy credits through the API, or contact support.',
      action: 'See how to top up',
    },
    'live-key': {
      title: 'Create a live key',
      text: 'With a live key, your servers verify real numbers.',
      action: 'Create a live key',
    },
  } satisfies Record<HomeStep, { title: string; text: string; action: string | undefined }>,
  testCredits: {
    title: 'Add test credits',
    text: 'Test requests cost test credits, which are free. You can add more once a day.',
    action: 'Add test credits',
  },
  creditsAdded: (added: number) => `${formatNumber(added)} test credits were added.`,
  credits: 'Credits',
  environments: { live: 'Live', test: 'Test' } satisfies Record<Environment, string>,
  held: (held: number) => `${formatNumber(held)} held for requests in progress`,
  registries: 'Registries',
  registryStates: {
    up: 'Working',
    degraded: 'Degraded',
    down: 'Down',
    off: 'Not offered',
  } satisfies Record<HomeView['registries'][number]['status'], string>,
  lookUps: 'Live look-ups',
  lookUpSum: (sum: number, days: number) => `${formatNumber(sum)} look-ups in the last ${days} days`,
  noLookUps: 'No live look-ups yet',
  noLookUpsText: 'The look-ups of your live keys appear here, day by day.',
  day: 'Day (UTC)',
  count: 'Look-ups',
};

export const newOrganisationTexts = {
  title: 'Create an organisation',
  lead: 'You become its owner, and can invite others. If you were invited to one, open the link in the email instead.',
  name: 'Name of the organisation',
  nameHint: 'The name by which its members know it. You enter the company number later.',
  action: 'Create the organisation',
};

export const invitationTexts = {
  title: 'Join an organisation',
  lead: 'You were invited to join an organisation.',
  signedInAs: (email: string) =>
    `You are signed in as ${email}. If the invitation is for another address, sign out, then open its link again.`,
  action: 'Accept the invitation',
  noSecret: 'This link has no invitation. Open the link in the email again, or ask for a new invitation.',
};

export const teamTexts = {
  lead: 'The members of your organisation, and what they may do.',
  invite: 'Invite member',
  members: 'Members',
  name: 'Name',
  role: 'Role',
  since: 'Member since',
  invitedBy: 'Invited by',
  actions: 'Actions',
  you: 'You',
  changeRole: 'Change role',
  remove: 'Remove',
  leave: 'Leave',
  invitations: 'Open invitations',
  email: 'Email address',
  expires: 'Expires',
  cancelInvitation: 'Cancel',
  operator: 'Operator',
  inviteTitle: 'Invite a member',
  inviteText: 'They receive an email with a link. It works once, within 7 days.',
  send: 'Send the invitation',
  invited: (email: string) => `An invitation was sent to ${email}.`,
  changeTitle: (name: string) => `Change the role of ${name}`,
  save: 'Save the role',
  changed: (name: string, role: string) => `The role of ${name} is now ${role}.`,
  removeTitle: (name: string) => `Remove ${name}?`,
  removeText:
    'They are rejected from their next request on. API keys that they created keep working: revoke those that only they knew.',
  removed: (name: string) => `${name} was removed.`,
  leaveTitle: 'Leave the organisation?',
  leaveText: 'You lose access at once. Only another member can invite you again.',
  cancelTitle: (email: string) => `Cancel the invitation of ${email}?`,
  cancelText: 'The link in the email stops working.',
  cancelAction: 'Cancel the invitation',
  cancelled: (email: string) => `The invitation of ${email} was cancelled.`,
  roleHints: {
    owner: 'Can do everything, and can make others owners.',
    admin:
      'Manages the profile, members, services and all keys, adds test credits, and sees the audit trail.',
    developer: 'Manages test keys, adds test credits, and sees live keys and services.',
    finance: 'Sees Home and services.',
    viewer: 'Sees Home and services.',
  } satisfies Record<Role, string>,
};

export const organisationTexts = {
  lead: 'The profile of your organisation. It must be approved before live requests work.',
  status: {
    PENDING: 'Not submitted',
    SUBMITTED: 'Waiting for approval',
    APPROVED: 'Approved',
    SUSPENDED: 'Suspended',
  } satisfies Record<OrganisationStatus, string>,
  submitted: 'We are checking the organisation. You can still correct the profile.',
  saved: 'The profile was saved.',
  numbers: 'Numbers',
  companyNumber: 'Company number',
  companyNumberHint: 'The registration number of the Corporate Affairs Commission, such as RC1234567.',
  taxNumber: 'Tax number',
  taxNumberHint: 'The tax identification number (TIN) of the organisation.',
  numbersFixed: 'This number cannot be changed after approval. Contact support.',
  checksLeft: (count: number) =>
    count === 1
      ? 'Numbers that you change are looked up when you save. 1 look-up is left today.'
      : `Numbers that you change are looked up when you save. ${count} look-ups are left today.`,
  found: (name: string) => `Found: ${name}`,
  foundWithoutName: 'Found',
  notFound: 'The registry has no record for this number. Correct the number, then save the profile.',
  unavailable:
    'The number could not be looked up. You can still submit the profile: we will check the number ourselves.',
  address: 'Address',
  addressHint: 'At most 6 lines.',
  billing: 'Contact for billing',
  billingHint: 'Receives invoices.',
  privacy: 'Contact for data protection',
  privacyHint: 'Answers questions from people whose data you verify.',
  contactName: 'Name',
  contactEmail: 'Email address',
  save: 'Save the profile',
  reload: 'Discard my changes and reload',
  terms: 'Terms and approval',
  termsVersion: (version: string) => `Terms, version ${version}`,
  accept: (version: string) => `I accept the terms, version ${version}, for the organisation`,
  mustAccept: 'Accept the terms to submit.',
  accepted: (version: string) => `Version ${version} of the terms was accepted on`,
  submit: 'Submit for approval',
  saveFirst: 'Save the profile first. Then you can submit it.',
  correctFirst: 'Correct the numbers that were not found. Then you can submit the profile.',
};
