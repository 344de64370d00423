import { AwsSolutionsChecks } from 'cdk-nag';
import { type Synthesis, withApp } from './synthesise.ts';

/** Checks the stacks of a stage with cdk-nag. The test of the rules loads it with `outsideJest`. */

/** An AWS Solutions rule, and the path in the app of a resource that violates it. */
export interface Violation {
  readonly rule: string;
  readonly at: string;
}

export function violationsOf(stage: string, synthesis: Synthesis): Violation[] {
  const { violations } = withApp(stage, synthesis, (app) => {
    app.synth();
    return new AwsSolutionsChecks().validateScope(app);
  });
  return violations.flatMap(({ ruleName, violatingResources }) =>
    violatingResources.map(({ constructPath = '' }) => ({ rule: ruleName, at: constructPath })),
  );
}
