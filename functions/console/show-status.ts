import { publicRead } from '../../shared/http/console/chain.ts';
import { showStatus, statusDependencies } from '../../shared/registries/console/status.ts';

export const handler = publicRead('show-status', showStatus(statusDependencies()));
