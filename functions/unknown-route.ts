import { publicRoute } from '../shared/http/chains.ts';
import { rejectUnknown } from '../shared/http/routes/unknown-route.ts';

/** Responds to every method and path that the API does not have (decision A8). */
export const handler = publicRoute('unknown-route', rejectUnknown());
