import * as v from 'valibot';
import { type CreatedKey, type EditedKey, expiryOf } from '../../accounts/manage-api-key.ts';
import { KEY_SCOPES } from '../../verifications/key-scopes.ts';
import { type ActionOutcome, action, done } from '../action.ts';
import * as field from '../fields.ts';
import type { RotatedKey } from '../make-change.ts';
import { notifyOwners } from '../notify-owners.ts';
import { keysOf } from '../operations/keys.ts';
import { makeOrRequest } from '../second-person.ts';

export const createKey = action({
  body: v.strictObject({
    organisation: field.organisationId,
    env: field.environment,
    label: field.label,
    /** @default after 365 days for a live key, never for a test key */
    expires: v.optional(v.union([field.time, v.literal('never')])),
    scopes: v.optional(v.array(v.picklist(KEY_SCOPES))),
    addressRanges: v.optional(field.addressRanges),
  }),
  async run(
    { organisation: organisationId, env, expires, ...what },
    context,
  ): Promise<ActionOutcome<CreatedKey>> {
    const notAfter = expiryOf(env, expires, new Date(context.clock.nowMs()));
    field.requireFuture(notAfter, context.clock.nowMs());
    const key = { ...what, ...(notAfter && { notAfter }) };
    const target = { organisationId, env };
    if (env === 'live') return makeOrRequest({ work: 'key', ...key }, target, context);
    return done(await keysOf(context).createKey({ ...target, ...key }));
  },
});

/** The longest time for which the old key may work after a rotation. */
const LONGEST_GRACE_SECONDS = 604_800;

/** `key`: the label, the hash, or the start of the hash. */
const existingKey = {
  organisation: field.organisationId,
  key: field.keyName,
  env: v.optional(field.environment),
};

export const rotateKey = action({
  body: v.strictObject({
    ...existingKey,
    graceSeconds: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(LONGEST_GRACE_SECONDS)),
  }),
  async run({ organisation, key, env, graceSeconds }, context): Promise<ActionOutcome<RotatedKey>> {
    const keys = keysOf(context);
    const old = await keys.findKey(organisation, key, env);
    const { hash, label } = old;
    const target = { organisationId: organisation, env: old.env };
    if (old.env === 'live')
      return makeOrRequest({ work: 'key-rotation', hash, label, graceSeconds }, target, context);
    return done({ ...(await keys.rotateKey(old, graceSeconds)), old });
  },
});

export const updateKey = action({
  body: v.strictObject({
    ...existingKey,
    label: v.optional(field.label),
    /** Null: everything except payments. */
    scopes: v.optional(v.nullable(v.array(v.picklist(KEY_SCOPES)))),
    /** Null: from anywhere. */
    addressRanges: v.optional(v.nullable(field.addressRanges)),
  }),
  async run({ organisation, key, env, ...change }, context): Promise<ActionOutcome<EditedKey>> {
    const keys = keysOf(context);
    const old = await keys.findKey(organisation, key, env);
    const { hash, label } = old;
    const target = { organisationId: organisation, env: old.env };
    if (old.env === 'live')
      return makeOrRequest({ work: 'key-update', hash, label, change }, target, context);
    return done(await keys.editKey(old, change));
  },
});

/** Needs no second person, so that a leaked key can be revoked at once. */
export const revokeKey = action({
  body: v.strictObject(existingKey),
  async run({ organisation, key, env }, context) {
    const { findKey, revokeKey: revoke } = keysOf(context);
    const found = await findKey(organisation, key, env);
    await revoke(found);
    if (found.env === 'live')
      await notifyOwners(organisation, `the live API key "${found.label}" was revoked`, context);
    return done({ ...found, status: 'REVOKED' as const });
  },
});
