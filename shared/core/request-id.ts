/**
 * The format of a request ID (`newRequestId` in ids.ts). It is not in ids.ts, because the pages of the console use it
 * too, and a browser has no node:crypto.
 */
export const REQUEST_ID = /^req_[0-9a-f]{12}$/;
