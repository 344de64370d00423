/** The maximum length of a caller's own reference, in characters (decision A3). */
export const MAX_REFERENCE = 100;
