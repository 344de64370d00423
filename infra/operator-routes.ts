import { ACTION_NAMES, type ActionName, actionPath, OPERATION_PATH } from '../shared/operators/actions.ts';
import { ACTION_PROFILES, showOperation } from './constructs/access/operator-action-profiles.ts';
import type { FunctionSpec } from './routes.ts';

/** The functions of the operator API. Its code is the `handler` of `functions/operators/<name>.ts`. */

/** The longest time that Lambda allows, for changes that continue after the response. */
const LONGEST_SECONDS = 900;

interface OperatorFunction extends FunctionSpec {
  readonly method: 'GET' | 'POST';
  readonly path: string;
}

const operatorFunctionName = (action: ActionName) => `operators-${action.replace(' ', '-')}`;

export const OPERATOR_FUNCTIONS: readonly OperatorFunction[] = [
  ...ACTION_NAMES.map((action): OperatorFunction => {
    const access = ACTION_PROFILES[action];
    return {
      name: operatorFunctionName(action),
      method: 'POST',
      path: actionPath(action),
      access,
      ...(access.continues && { timeoutSeconds: LONGEST_SECONDS }),
    };
  }),
  { name: 'operators-show-operation', method: 'GET', path: OPERATION_PATH, access: showOperation },
];
