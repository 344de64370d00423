import { randomBytes } from 'node:crypto';
import { ulid } from 'ulid';

/** `req_` and 12 lower-case hex characters (decision C11): a label for people, never the key of a money row. */
export function newRequestId(): string {
  return `req_${randomBytes(6).toString('hex')}`;
}

/** A ULID for each request. All rows of a request carry it (ledger design). */
export function newOperationId(): string {
  return ulid();
}
