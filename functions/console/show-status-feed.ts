import { publicRead } from '../../shared/http/console/chain.ts';
import { showStatusFeed, statusDependencies } from '../../shared/registries/console/status.ts';

export const handler = publicRead('show-status-feed', showStatusFeed(statusDependencies()));
