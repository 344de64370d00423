import { publicRead } from '../../shared/http/console/chain.ts';
import { showStatus, statusDependencies } from '../../shared/registries/console/status.ts';

/** GET /console/api/status: the state of the registries, and their last 90 days. Public. */
export const handler = publicRead('show-status', showStatus(statusDependencies()));
