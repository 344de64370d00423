import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import type { Construct } from 'constructs';
import type { MonthlyBudget, Stage } from '../../config.ts';

/** AWS sends an email at these percentages of the monthly amount, for actual and for forecast costs. */
const NOTICES = [
  { notificationType: 'ACTUAL', threshold: 80 },
  { notificationType: 'ACTUAL', threshold: 100 },
  { notificationType: 'FORECASTED', threshold: 100 },
] as const;

/**
 * Adds a budget whose notifications AWS sends to this address. It does not limit costs. It has no fixed name: if its
 * notifications change, CloudFormation replaces it, which would fail if the new budget had the same name.
 */
export function addCostBudget(
  scope: Construct,
  stage: Stage,
  { usd, scope: costs, email }: MonthlyBudget & { readonly email: string },
): CfnBudget {
  return new CfnBudget(scope, 'Budget', {
    budget: {
      budgetType: 'COST',
      timeUnit: 'MONTHLY',
      budgetLimit: { amount: usd, unit: 'USD' },
      // The tag of all stacks (infra/app.ts), in the form that AWS Budgets requires.
      ...(costs === 'stage' && { costFilters: { TagKeyValue: [`user:stage$${stage}`] } }),
    },
    notificationsWithSubscribers: NOTICES.map((notice) => ({
      notification: { ...notice, comparisonOperator: 'GREATER_THAN', thresholdType: 'PERCENTAGE' },
      subscribers: [{ subscriptionType: 'EMAIL', address: email }],
    })),
  });
}
