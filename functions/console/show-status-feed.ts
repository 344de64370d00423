import { publicRead } from '../../shared/http/console/chain.ts';
import { showStatusFeed, statusDependencies } from '../../shared/registries/console/status.ts';

/** GET /console/api/status/feed: the incidents of the registries as an Atom feed. Public. */
export const handler = publicRead('show-status-feed', showStatusFeed(statusDependencies()));
