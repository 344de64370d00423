import { App, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { stageTables } from './stage-tables.ts';

/** The tables as CloudFormation would get them, for a comparison with the deployed ones. Loading the CDK takes seconds. */
export function tableTemplate(): object {
  const stack = new Stack(new App({ builtinCloudFormationValidation: false }), 'tables');
  stageTables(stack, undefined);
  return Template.fromStack(stack).toJSON();
}
