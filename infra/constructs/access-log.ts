import { AccessLogField, AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import { FilterPattern, LogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { StageConfig } from '../config.ts';
import { GATEWAY_METRICS, METRICS_NAMESPACE, serviceName } from './physical-names.ts';

/** The route and not the path, which can hold a slip's token; never a body, a header or a query. */
const FIELDS = {
  requestId: AccessLogField.contextRequestId(),
  time: AccessLogField.contextRequestTimeEpoch(),
  ip: AccessLogField.contextIdentitySourceIp(),
  method: AccessLogField.contextHttpMethod(),
  route: AccessLogField.contextResourcePath(),
  status: AccessLogField.contextStatus(),
  latencyMs: AccessLogField.contextResponseLatency(),
  integrationLatencyMs: AccessLogField.contextIntegrationLatency(),
  responseBytes: AccessLogField.contextResponseLength(),
  errorType: AccessLogField.contextErrorResponseType(),
};

/** The type of error is `-` where a function answered, be it 5xx: no list of types could be known to be whole. */
const byGateway = FilterPattern.stringValue('$.errorType', '!=', '-');

/** What API Gateway answers in a function's place shows only here: the functions' own metrics never see it. */
const CAUSES = [
  {
    metricName: GATEWAY_METRICS.throttled,
    filterPattern: FilterPattern.any(
      FilterPattern.stringValue('$.errorType', '=', 'THROTTLED'),
      FilterPattern.stringValue('$.errorType', '=', 'QUOTA_EXCEEDED'),
    ),
  },
  {
    metricName: GATEWAY_METRICS.failed,
    filterPattern: FilterPattern.all(FilterPattern.stringValue('$.status', '=', '5*'), byGateway),
  },
] as const;

/** One line for each call, and metrics of what API Gateway refused by itself. */
export class AccessLog extends LogGroup {
  static readonly format = AccessLogFormat.custom(JSON.stringify(FIELDS));

  constructor(scope: Construct, id: string, { stage, logRetentionDays, operations }: StageConfig) {
    super(scope, id, { retention: logRetentionDays });
    if (!operations) return;
    for (const { metricName, filterPattern } of CAUSES) {
      new MetricFilter(this, metricName, {
        logGroup: this,
        // No dimension can be a fixed text here, so the stage stands in the namespace.
        metricNamespace: `${METRICS_NAMESPACE}/${serviceName(stage)}`,
        metricName,
        filterPattern,
        metricValue: '1',
        defaultValue: 0,
      });
    }
  }
}
