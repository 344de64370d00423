import { consoleRoute } from '../../shared/members/middleware/console-route.ts';
import { takeCredits, testCreditDependencies } from '../../shared/payments/console/test-credits.ts';

export const handler = consoleRoute('take-test-credits', takeCredits(testCreditDependencies()));
