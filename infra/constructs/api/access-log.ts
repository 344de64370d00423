import { AccessLogField, AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import { FilterPattern, LogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { METRICS_NAMESPACE } from '../../../shared/core/metrics.ts';
import type { StageConfig } from '../../config.ts';
import { GATEWAY_METRICS } from '../physical-names.ts';

/** No body, headers or query; the route instead of the path, which may contain a slip token. */
const FIELDS = {
  requestId: AccessLogField.contextRequestId(),
  time: AccessLogField.contextRequestTimeEpoch(),
  ip: AccessLogField.contextIdentitySourceIp(),
  method: AccessLogField.contextHttpMethod(),
  route: AccessLogField.contextResourcePath(),
  status: AccessLogField.contextStatus(),
  latencyMs: AccessLogField.contextResponseLatency(),
  integrationLatencyMs: AccessLogField.contextIntegrationLatency(),
  /** Lambda's, not the function's. 413: with the request, the event is above Lambda's 6 MB. */
  lambdaStatus: AccessLogField.contextIntegrationStatus(),
  responseBytes: AccessLogField.contextResponseLength(),
  /** `lambda_request_id` in the log of the function. */
  lambdaRequestId: AccessLogField.contextAwsEndpointRequestId(),
  errorType: AccessLogField.contextErrorResponseType(),
};

/** `errorType` is `-` if a function returned the response. */
const byGateway = FilterPattern.stringValue('$.errorType', '!=', '-');

/** Functions do not count API Gateway's own responses. */
const FILTERS = [
  {
    metricName: GATEWAY_METRICS.throttled,
    filterPattern: FilterPattern.all(
      FilterPattern.any(
        FilterPattern.stringValue('$.errorType', '=', 'THROTTLED'),
        FilterPattern.stringValue('$.errorType', '=', 'QUOTA_EXCEEDED'),
      ),
      // Scanners send requests to `/` and unknown paths, which must not page anyone.
      FilterPattern.stringValue('$.route', '!=', '/{proxy+}'),
      FilterPattern.stringValue('$.route', '!=', '/'),
    ),
  },
  {
    metricName: GATEWAY_METRICS.failed,
    filterPattern: FilterPattern.all(
      FilterPattern.stringValue('$.status', '=', '5*'),
      byGateway,
      // Anyone can send a body of 4.5 to 10 MB without a key, and some reports say that API Gateway responds with 5xx.
      FilterPattern.stringValue('$.lambdaStatus', '!=', '413'),
    ),
  },
] as const;

export class AccessLog extends LogGroup {
  static readonly format = AccessLogFormat.custom(JSON.stringify(FIELDS));

  /** `title` names the API in its metrics. */
  constructor(scope: Construct, id: string, { logRetentionDays, operations }: StageConfig, title: string) {
    super(scope, id, { retention: logRetentionDays });
    if (!operations) return;
    for (const { metricName, filterPattern } of FILTERS) {
      new MetricFilter(this, metricName, {
        logGroup: this,
        // A metric filter cannot set a constant dimension.
        metricNamespace: `${METRICS_NAMESPACE}/${title}`,
        metricName,
        filterPattern,
        metricValue: '1',
      });
    }
  }
}
