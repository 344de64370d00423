import * as v from 'valibot';
import { ROLES } from '../core/member-role.ts';

const role = v.picklist(ROLES);

/** Someone who has signed in. Their ID is the subject of the identity provider. */
export const person = v.object({
  id: v.string(),
  /** In lower case, verified by the identity provider. */
  email: v.string(),
  name: v.string(),
  /** ISO time of the first sign-in. */
  createdAt: v.string(),
  /** ISO time at which the person signed out everywhere. Sessions that began by then are rejected. */
  signedOutAt: v.optional(v.string()),
});
export type Person = v.InferOutput<typeof person>;

/** Stored twice: in the organisation's partition and in the person's. The two rows differ only in their keys. */
export const membership = v.object({
  organisationId: v.string(),
  personId: v.string(),
  role,
  /** The row of a removed member remains, so that lists can name them. */
  status: v.picklist(['ACTIVE', 'REMOVED']),
  /** Copies, so that lists need no further reads. The person's name and email address are from their last sign-in. */
  organisationName: v.string(),
  personName: v.string(),
  email: v.string(),
  /** ISO time at which the person became a member. */
  since: v.string(),
  /** The day (`yyyy-mm-dd`, Africa/Lagos) of their last sign-in. Absent if that was before days were stored. */
  signedInOn: v.optional(v.string()),
  /** The ID of the member who invited them. Absent if they created the organisation, or if an operator invited them. */
  invitedBy: v.optional(v.string()),
  version: v.number(),
});
export type Membership = v.InferOutput<typeof membership>;

/**
 * A session ends 12 hours after it began or an hour after `usedAt`, whichever is earlier. Its organisation is in the
 * cookie. The membership determines the person's rights in that organisation.
 */
export const session = v.object({
  personId: v.string(),
  /** ISO time. */
  createdAt: v.string(),
  /** ISO time at which the person entered their credentials. It may be before the session began. */
  signedInAt: v.string(),
  /** ISO time of a recent request, at most five minutes before the last request. */
  usedAt: v.string(),
  /** ISO time at which the session was ended. Absent if it was not. */
  endedAt: v.optional(v.string()),
  /** The token that identifies the session to the identity provider at sign-out. */
  idToken: v.optional(v.string()),
  /** Epoch seconds. */
  expiresAt: v.number(),
});
export type Session = v.InferOutput<typeof session>;

/** Stored twice: under the hash of its secret, and in the organisation's partition. */
export const invitation = v.object({
  /** A ULID. */
  id: v.string(),
  /** SHA-256 of the secret in the link, hex. */
  hash: v.string(),
  organisationId: v.string(),
  organisationName: v.string(),
  role,
  /** In lower case. Only a person with this address can accept. */
  email: v.string(),
  /**
   * Memberships have `status`. The names differ so that permission to close invitations does not permit changes to
   * members.
   */
  state: v.picklist(['OPEN', 'ACCEPTED', 'CANCELLED']),
  /** The ID of the member who sent the invitation. Absent if an operator did. */
  invitedBy: v.optional(v.string()),
  /**
   * An operator sent it alone, because the organisation had no owner. It cannot be accepted when there is one. Otherwise,
   * the operator could add a member later without a second person.
   */
  hadNoOwner: v.optional(v.literal(true)),
  createdAt: v.string(),
  /** ISO time after which the invitation cannot be accepted. */
  notAfter: v.string(),
  /** Epoch seconds, later than `notAfter`. */
  expiresAt: v.number(),
});
export type Invitation = v.InferOutput<typeof invitation>;

/**
 * Counts the invitations that an organisation sends in a day, or the emails that an address receives for invitations and
 * sign-ups. If two are sent at the same time, both have read the same version, so only one can be stored.
 */
export const sendingCounter = v.object({
  /** The day (`yyyy-mm-dd`, UTC) of the last invitation. */
  day: v.string(),
  /** How many invitations were sent on that day. */
  sent: v.number(),
  /**
   * ISO time. Until then, sign-ups of the address do not count towards the total of the stage, because an operator or an
   * approved organisation has invited the person.
   */
  invitedUntil: v.optional(v.string()),
  version: v.number(),
});
export type SendingCounter = v.InferOutput<typeof sendingCounter>;

/** UNAVAILABLE: the number could not be looked up. The operator then checks it. */
const CHECK_RESULTS = ['FOUND', 'NOT_FOUND', 'UNAVAILABLE'] as const;

/** The result of looking up a number of the profile at its registry, at the operator's cost. */
const numberCheck = v.object({
  result: v.picklist(CHECK_RESULTS),
  /** The registered name of a company, for operators only. The name of an individual is never stored. */
  name: v.optional(v.string()),
  /** Whether this is the name of the organisation. Absent unless a company was found. */
  isNameEqual: v.optional(v.boolean()),
  checkedAt: v.string(),
  requestId: v.string(),
});
export type NumberCheck = v.InferOutput<typeof numberCheck>;

/**
 * The record of one look-up of a number at its registry. It is here and not in the verification log, because nothing is
 * charged. The key contains the number's tag.
 */
export const numberLookUp = v.object({
  idType: v.picklist(['CAC', 'TIN']),
  /** STARTED until the registry has responded. It stays if the function is interrupted. */
  result: v.picklist(['STARTED', ...CHECK_RESULTS]),
  personId: v.string(),
  reason: v.literal('organisation submit'),
  requestId: v.string(),
  lookedUpAt: v.string(),
  /** Epoch seconds. */
  expiresAt: v.number(),
});
export type NumberLookUp = v.InferOutput<typeof numberLookUp>;

const contact = v.object({ name: v.string(), email: v.string() });

export const profile = v.object({
  companyNumber: v.string(),
  taxNumber: v.string(),
  /** The lines of the address. */
  address: v.array(v.string()),
  billingContact: contact,
  /** The data protection contact. */
  privacyContact: contact,
  companyCheck: v.optional(numberCheck),
  taxCheck: v.optional(numberCheck),
  /** The version of the terms, and when and by whom they were accepted. */
  terms: v.optional(v.object({ version: v.string(), acceptedAt: v.string(), acceptedBy: v.string() })),
  /** ISO time of the submission. Absent until then. */
  submittedAt: v.optional(v.string()),
  submittedBy: v.optional(v.string()),
  version: v.number(),
  /** Epoch seconds. Absent once the profile is submitted or the organisation is approved. */
  expiresAt: v.optional(v.number()),
});
export type Profile = v.InferOutput<typeof profile>;
