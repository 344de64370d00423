import document from '../docs/openapi.json' with { type: 'json' };
import { setting } from '../shared/core/config.ts';
import { publicRoute } from '../shared/http/public-route.ts';
import { serveApiDocument } from '../shared/http/routes/openapi.ts';

/** GET /v1/openapi.json: the OpenAPI document, which is generated from the schemas of all routes. */
export const handler = publicRoute('openapi', serveApiDocument(document, setting('SUPPORT_CONTACT')));
