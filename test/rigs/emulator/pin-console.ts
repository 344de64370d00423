import { CONSOLE } from '../../infra/console.ts';
import { MONEY } from '../../infra/money.ts';
import { PIN, pinStages } from '../../support/pin-stages.ts';

/** Node loads this module before each program of the rehearsal: prod sells credits, and has a console. */
pinStages({ ...PIN, ...CONSOLE, ...MONEY });
