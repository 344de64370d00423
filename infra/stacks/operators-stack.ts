import { Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { StageConfig } from '../config.ts';
import type { StageResources } from '../constructs/access/access.ts';
import { EnvelopeApi } from '../constructs/api/envelope-api.ts';
import { operatorGatewayResponses } from '../constructs/api/gateway-responses.ts';
import { serviceFunction } from '../constructs/functions/service-function.ts';
import { operatorsName } from '../constructs/physical-names.ts';
import { OPERATOR_FUNCTIONS } from '../operator-routes.ts';
import type { DataStack } from './data-stack.ts';

interface OperatorsStackProps extends StackProps {
  readonly config: StageConfig;
  readonly data: DataStack;
  /** The directory of each function's bundle, by the function's name. */
  readonly bundles: ReadonlyMap<string, string>;
}

/** A few people use the API, one command after another. Each command that waits reads its state once a second. */
const LIMIT = { rateLimit: 10, burstLimit: 20 };

/**
 * The operator API: one function for each change that operators make, behind IAM authorisation. People sign their
 * requests with the credentials of their role. It contains no data and can be deleted and deployed again.
 */
export class OperatorsStack extends Stack {
  readonly restApi: EnvelopeApi;

  constructor(scope: Construct, id: string, props: OperatorsStackProps) {
    super(scope, id, props);
    const { config, data } = props;
    const resources: StageResources = {
      config,
      tables: data.tables,
      secrets: data.secrets,
      key: data.key,
    };
    const routes = OPERATOR_FUNCTIONS.map((spec) => ({
      method: spec.method,
      path: spec.path,
      handler: serviceFunction(this, spec, props, resources),
    }));
    this.restApi = new EnvelopeApi(this, 'Operators', {
      config,
      title: operatorsName(config.stage),
      addresses: {},
      output: 'OperatorsUrl',
      setsLogRole: false,
      limits: {
        throttlingRateLimit: LIMIT.rateLimit,
        throttlingBurstLimit: LIMIT.burstLimit,
        methodOptions: {},
      },
      gatewayResponses: operatorGatewayResponses(),
      routes,
      authorisation: 'iam',
    });
  }
}
