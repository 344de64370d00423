/** The changes that operators can make, each through one function of the operator API. */

export const OPERATOR_ROLES = [
  'operator',
  'finance',
  'finance-read-only',
  'privacy',
  'engineer',
  'read-only',
] as const;
export type OperatorRole = (typeof OPERATOR_ROLES)[number];

/** The roles that may make each change. The name is the `admin` command. */
export const OPERATOR_ACTIONS = {
  'org create': ['operator'],
  'org approve': ['operator'],
  'org suspend': ['operator'],
  'org set-rate': ['operator'],
  'org set-low-balance': ['operator'],
  'member invite': ['operator'],
  'member remove': ['operator'],
  'member erase': ['privacy'],
  'service enable': ['operator'],
  'service disable': ['operator'],
  'service set-price': ['operator'],
  'key create': ['operator'],
  'key update': ['operator'],
  'key rotate': ['operator'],
  'key revoke': ['operator'],
  'wallet top-up': ['finance'],
  'wallet correct': ['finance'],
  'wallet set-shards': ['operator'],
  'price set': ['finance'],
  'price end': ['finance'],
  'billing set': ['finance'],
  'order open': ['finance'],
  'order settle': ['finance'],
  'order resolve': ['finance'],
  'credit-note create': ['finance'],
  'credit-note paid-back': ['finance'],
  'month close': ['finance'],
  'month reopen': ['finance'],
  'registry disable': ['operator', 'engineer'],
  'registry enable': ['operator', 'engineer'],
  'registry test': ['engineer'],
  'privacy export': ['privacy'],
  'privacy erase': ['privacy'],
  'privacy impact': ['privacy'],
  'slip withdraw': ['operator', 'privacy'],
  approve: ['operator', 'finance', 'privacy'],
} as const satisfies Readonly<Record<string, readonly OperatorRole[]>>;
export type ActionName = keyof typeof OPERATOR_ACTIONS;

export const ACTION_NAMES = Object.keys(OPERATOR_ACTIONS) as ActionName[];

/** The changes that may need a second person. */
export const REQUESTED_ACTIONS = [
  'member invite',
  'member remove',
  'service set-price',
  'key create',
  'key update',
  'key rotate',
  'wallet top-up',
  'wallet correct',
  'price set',
  'price end',
  'order resolve',
  'credit-note create',
  'month reopen',
  'privacy erase',
] as const satisfies readonly ActionName[];

/** Returns the path of an action in the operator API, such as `/org/approve`. */
export const actionPath = (name: ActionName) =>
  name === 'approve' ? '/approve/{action}' : `/${name.replace(' ', '/')}`;

/**
 * Returns the path that approves a request for this action, such as `/approve/wallet-correct`. Each action has a path
 * of its own, so that a role may approve only what it may request.
 */
export const approvalPath = (action: string) => `/approve/${action.replace(' ', '-')}`;

/** The path that shows a change that continues in the background. */
export const OPERATION_PATH = '/operations/{id}';
