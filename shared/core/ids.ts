import { randomBytes } from 'node:crypto';
import { ulid } from 'ulid';

/** `req_` and 12 lower-case hex characters (decision C11): a label for people, never a key of money. */
export function newRequestId(): string {
  return `req_${randomBytes(6).toString('hex')}`;
}

/** A ULID drawn for each request: all rows of a request carry it, and money hangs on it (ledger design). */
export function newOperationId(): string {
  return ulid();
}
