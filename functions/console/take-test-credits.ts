import { consoleRoute } from '../../shared/members/middleware/console-route.ts';
import { takeCredits, testCreditDependencies } from '../../shared/payments/console/test-credits.ts';

/** POST /console/api/test-credits: adds the day's test credits. */
export const handler = consoleRoute('take-test-credits', takeCredits(testCreditDependencies()));
