import { consoleMail } from '../../shared/members/console/team-dependencies.ts';
import { consoleRoute } from '../../shared/members/middleware/console-route.ts';
import {
  automaticDependencies,
  changeAutomaticTopUp,
} from '../../shared/payments/console/automatic-top-up.ts';
import { changeAutomaticTopUpBody } from '../../shared/payments/console/bodies.ts';

const run = changeAutomaticTopUp(automaticDependencies(), consoleMail());

export const handler = consoleRoute('change-automatic-top-up', run, { body: changeAutomaticTopUpBody });
