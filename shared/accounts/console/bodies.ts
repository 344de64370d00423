import * as v from 'valibot';
import { ENVIRONMENTS } from '../../core/environment.ts';
import { KEY_SCOPES } from '../../verifications/key-scopes.ts';
import { labelProblem } from '../key-label.ts';
import { ADDRESS_RULE, hasIpv4Range, IPV4_RULE, isAddressRange } from '../key-limits.ts';

export const MOST_ADDRESSES = 20;
const MOST_DAYS = 3_650;
const EXPIRY_RULE = `Enter a whole number of days from 1 to ${MOST_DAYS}.`;
const expiryDays = v.pipe(
  v.number(),
  v.integer(EXPIRY_RULE),
  v.minValue(1, EXPIRY_RULE),
  v.maxValue(MOST_DAYS, EXPIRY_RULE),
);

const keyEntries = {
  label: v.pipe(
    v.string(),
    v.normalize('NFC'),
    v.check(
      (text) => labelProblem(text) === undefined,
      ({ input }) => labelProblem(input) ?? '',
    ),
  ),
  scopes: v.nullable(v.pipe(v.array(v.picklist(KEY_SCOPES)), v.minLength(1, 'Choose at least one scope.'))),
  addresses: v.nullable(
    v.pipe(
      v.array(v.pipe(v.string(), v.check(isAddressRange, ADDRESS_RULE))),
      v.minLength(1, 'Enter at least one address or network.'),
      v.maxLength(MOST_ADDRESSES, `Enter at most ${MOST_ADDRESSES} addresses and networks.`),
      v.check((ranges) => hasIpv4Range(ranges), IPV4_RULE),
    ),
  ),
};

/** The body of PUT /keys/{id}. What is absent stays, also if somebody else has changed it since the page was loaded. */
export const updateKeyBody = v.strictObject({
  label: v.optional(keyEntries.label),
  scopes: v.optional(keyEntries.scopes),
  addresses: v.optional(keyEntries.addresses),
});
export type UpdateKeyBody = v.InferInput<typeof updateKeyBody>;

/** The body of POST /keys. */
export const createKeyBody = v.strictObject({
  env: v.picklist(ENVIRONMENTS),
  ...keyEntries,
  expires_in_days: v.nullable(expiryDays),
});
export type CreateKeyBody = v.InferInput<typeof createKeyBody>;

const MOST_GRACE_HOURS = 168;
const GRACE_RULE = `Enter a whole number of hours from 0 to ${MOST_GRACE_HOURS}.`;
const graceHours = v.pipe(
  v.number(),
  v.integer(GRACE_RULE),
  v.minValue(0, GRACE_RULE),
  v.maxValue(MOST_GRACE_HOURS, GRACE_RULE),
);

/** The body of POST /keys/{id}/rotate. */
export const rotateKeyBody = v.strictObject({ grace_hours: graceHours });
export type RotateKeyBody = v.InferInput<typeof rotateKeyBody>;

/** The body of PUT /services/{service}. */
export const changeServiceBody = v.strictObject({ is_enabled: v.boolean() });
export type ChangeServiceBody = v.InferInput<typeof changeServiceBody>;
