import type { CreateKeyBody, UpdateKeyBody } from '../../../../shared/accounts/console/bodies.ts';
import type { Environment } from '../../../../shared/core/environment.ts';
import { entriesOf } from './scope-groups.ts';

const EXPIRY_LABELS = {
  '30': 'In 30 days',
  '90': 'In 90 days',
  '365': 'In one year',
  '730': 'In two years',
  never: 'Never',
};

type Expiry = keyof typeof EXPIRY_LABELS;

/** A field that is also in the request body has the same name there, so that its error appears next to it. */
export interface KeyInput {
  readonly env: Environment;
  readonly label: string;
  readonly permissions: 'all' | 'chosen';
  readonly scopes: readonly string[];
  readonly addresses: string;
  /** Undefined: the default of the environment. */
  readonly expires_in_days: Expiry | undefined;
}

/** By default, a live key stops working after a year, so that a forgotten copy of it becomes useless. */
const DEFAULT_EXPIRY = { live: '365', test: 'never' } as const;

export const expiryOf = ({ expires_in_days, env }: KeyInput): Expiry =>
  expires_in_days ?? DEFAULT_EXPIRY[env];

export function bodyOf(input: KeyInput): CreateKeyBody {
  const expiry = expiryOf(input);
  return {
    env: input.env,
    ...editBodyOf(input),
    expires_in_days: expiry === 'never' ? null : Number(expiry),
  };
}

/** Returns the part that can also be edited later. */
export function editBodyOf({ label, permissions, scopes, addresses }: KeyInput): EditInput['before'] {
  const entries = entriesOf(addresses);
  return {
    label: label.trim(),
    scopes: permissions === 'all' ? null : [...scopes],
    addresses: entries.length > 0 ? [...entries] : null,
  };
}

/** With the values that the person saw, which a sign-in in between does not replace. */
export interface EditInput extends KeyInput {
  readonly before: Pick<CreateKeyBody, keyof UpdateKeyBody>;
}

/** Returns only what the person changed, so that nothing that others have changed since is restored. */
export function changesOf({ before, ...input }: EditInput): UpdateKeyBody {
  const { label, scopes, addresses } = editBodyOf(input);
  const isNew = (one: unknown, old: unknown) => JSON.stringify(one) !== JSON.stringify(old);
  return {
    ...(isNew(label, before.label) && { label }),
    ...(isNew(scopes, before.scopes) && { scopes }),
    ...(isNew(addresses, before.addresses) && { addresses }),
  };
}

/** JavaScript puts the whole-number keys of an object first, in ascending order. */
export const EXPIRY_CHOICES = (Object.keys(EXPIRY_LABELS) as Expiry[]).map((value) => ({
  value,
  label: EXPIRY_LABELS[value],
}));
