import { createHash } from 'node:crypto';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { headerValues } from './context.ts';
import type { Run } from './public-route.ts';
import type { Document, Information, NotModified } from './result.ts';

const NOT_MODIFIED: NotModified = { kind: 'not-modified' };

/** For an hour (contract C10), or 304 if the client has it. Shared caches may not store `private` content. */
export function cacheable(content: Document | Information, visibility: 'public' | 'private'): Run {
  const etag = weakTag(content);
  return async ({ headers }, event) =>
    isKnown({ etag, cacheControl: `${visibility}, max-age=3600` }, headers, event) ? NOT_MODIFIED : content;
}

/** Weak: request ID and time differ. */
export function weakTag(content: unknown): string {
  return `W/"${createHash('sha256').update(JSON.stringify(content)).digest('base64url').slice(0, 22)}"`;
}

/** Adds the headers for caches. Returns whether the client has the content. */
export function isKnown(
  { etag, cacheControl }: { readonly etag: string; readonly cacheControl: string },
  headers: Record<string, string>,
  event: APIGatewayProxyEvent,
): boolean {
  headers['Cache-Control'] = cacheControl;
  headers['ETag'] = etag;
  return hasCopy(event, etag);
}

/**
 * Whether `If-None-Match` contains the tag of the content, or `*`. Weak and strong forms of a tag count as equal (RFC
 * 9110, 13.1.2).
 */
export function hasCopy(event: APIGatewayProxyEvent, etag: string): boolean {
  const tags = headerValues(event, 'if-none-match').flatMap((value) => value.split(','));
  const known = tags.map((tag) => weak(tag.trim()));
  return known.includes(weak(etag)) || known.includes('W/*');
}

const weak = (tag: string) => tag.replace(/^(?:W\/)?/, 'W/');
