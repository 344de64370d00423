import document from '../docs/openapi.json' with { type: 'json' };
import { cacheable } from '../shared/http/cacheable.ts';
import { publicRoute } from '../shared/http/chains.ts';

const body = JSON.stringify(document);

/** GET /v1/openapi.json: the document that is generated from the schemas of all routes. */
export const handler = publicRoute(
  'openapi',
  cacheable({ kind: 'document', status: 200, contentType: 'application/json', body }, 'public'),
);
