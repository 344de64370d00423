import { cacheable } from '../cacheable.ts';
import { ownAddress } from '../own-address.ts';
import type { Run } from '../public-route.ts';

/** On AWS there are few addresses, but callers of the local service choose the host name. */
const MOST_ADDRESSES = 8;

/** A host name, an optional port, and a stage. */
const ADDRESS = /^https?:\/\/[a-z\d](?:[a-z\d.-]*[a-z\d])?(?::\d{1,5})?(?:\/\w+)?$/i;

interface ApiDocument {
  readonly info: object;
}

/** `address` is an email address, an https URL, or empty. */
export function contactOf(address = ''): object {
  if (address === '') return { name: 'Support' };
  return { name: 'Support', [address.startsWith('https:') ? 'url' : 'email']: address };
}

/**
 * GET /v1/openapi.json. The only server is the address that the caller used, if it is valid. `info.contact` is the
 * operator's support contact. Each instance caches the document for each address.
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
