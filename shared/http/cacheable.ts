import { createHash } from 'node:crypto';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { headerValues } from './context.ts';
import type { Run } from './public-route.ts';
import type { Document, Information, NotModified } from './result.ts';

const NOT_MODIFIED: NotModified = { kind: 'not-modified' };

/** For an hour (contract C10), or 304 if the client has it. Shared caches may not store `private` content. */
export function cacheable(content: Document | Information, visibility: 'public' | 'private'): Run {
  // Weak: request ID and time differ.
  const etag = `W/"${createHash('sha256').update(JSON.stringify(content)).digest('base64url').slice(0, 22)}"`;
  return async ({ headers }, event) => {
    headers['Cache-Control'] = `${visibility}, max-age=3600`;
    headers['ETag'] = etag;
    return hasCopy(event, etag) ? NOT_MODIFIED : content;
  };
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
