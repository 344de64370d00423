import { slipRoute } from '../shared/http/routes/nin-slip.ts';

/** POST /v1/ng/nin/slip/download: the slip of a NIN that this organisation has verified, as a PDF. */
export const handler = slipRoute();
