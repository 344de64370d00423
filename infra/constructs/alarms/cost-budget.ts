import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import type { Construct } from 'constructs';
import type { MonthlyBudget, Stage } from '../../config.ts';

/** Of the monthly amount, for actual and forecast costs. */
const NOTICES = [
  { notificationType: 'ACTUAL', threshold: 80 },
  { notificationType: 'ACTUAL', threshold: 100 },
  { notificationType: 'FORECASTED', threshold: 100 },
] as const;

/** It does not limit costs. Without a fixed name: CloudFormation replaces it if its notifications change. */
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
      // As AWS Budgets requires it.
      ...(costs === 'stage' && { costFilters: { TagKeyValue: [`user:stage$${stage}`] } }),
    },
    notificationsWithSubscribers: NOTICES.map((notice) => ({
      notification: { ...notice, comparisonOperator: 'GREATER_THAN', thresholdType: 'PERCENTAGE' },
      subscribers: [{ subscriptionType: 'EMAIL', address: email }],
    })),
  });
}
