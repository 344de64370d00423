/** The maximum length of a caller's own reference, in characters (contract A3). */
export const MAX_REFERENCE = 100;
