import { cacheable } from '../cacheable.ts';
import { ownAddress } from '../own-address.ts';
import type { Run } from '../public-route.ts';

/**
 * The maximum number of cached documents. A stage on AWS has only a few addresses, but callers of the local service
 * choose the host name.
 */
const MOST_ADDRESSES = 8;

/** An address with a host name, an optional port, and the stage in a URL that API Gateway generates. */
const ADDRESS = /^https?:\/\/[a-z\d](?:[a-z\d.-]*[a-z\d])?(?::\d{1,5})?(?:\/\w+)?$/i;

interface ApiDocument {
  readonly info: object;
}

/** Returns `info.contact`. `address` is an email address, an https URL, or empty if there is none. */
export function contactOf(address = ''): object {
  if (address === '') return { name: 'Support' };
  return { name: 'Support', [address.startsWith('https:') ? 'url' : 'email']: address };
}

/**
 * GET /v1/openapi.json: the OpenAPI document. Its only server is the address that the caller used. If that is not a
 * valid address, the document keeps its own servers. `info.contact` is the operator's support contact. Each instance
 * caches the document for each address.
 */
export function serveApiDocument(template: ApiDocument, supportContact: string): Run {
  const document = { ...template, info: { ...template.info, contact: contactOf(supportContact) } };
  const byAddress = new Map<string, Run>();
  return (requestContext, event) => {
    const address = ownAddress(event);
    const known = ADDRESS.test(address) ? address : '';
    const run = byAddress.get(known) ?? written(known ? withServer(document, known) : document);
    if (!byAddress.has(known) && byAddress.size >= MOST_ADDRESSES) byAddress.clear();
    byAddress.set(known, run);
    return run(requestContext, event);
  };
}

function withServer(document: object, url: string): object {
  return { ...document, servers: [{ url, description: 'This service.' }] };
}

function written(document: object): Run {
  const body = JSON.stringify(document);
  return cacheable({ kind: 'document', status: 200, contentType: 'application/json', body }, 'public');
}
