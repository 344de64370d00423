import { publicRoute } from '../shared/http/public-route.ts';
import { rejectUnknown } from '../shared/http/routes/unknown-route.ts';

/** Rejects requests for paths and methods that the API does not have (contract A8). */
export const handler = publicRoute('unknown-route', rejectUnknown());
