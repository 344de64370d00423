import { AccessLogField, AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import { FilterPattern, LogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { METRICS_NAMESPACE } from '../../../shared/core/metrics.ts';
import type { StageConfig } from '../../config.ts';
import { GATEWAY_METRICS } from '../physical-names.ts';

/**
 * A line contains no body, headers or query. It contains the route instead of the path, because the path may contain a
 * slip token.
 */
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

/**
 * `errorType` is `-` if a function returned the response, even a 5xx. The filter therefore needs no list of error
 * types.
 */
const byGateway = FilterPattern.stringValue('$.errorType', '!=', '-');

/** The metrics of the functions do not count responses that API Gateway generates itself. */
const FILTERS = [
  {
    metricName: GATEWAY_METRICS.throttled,
    filterPattern: FilterPattern.all(
      FilterPattern.any(
        FilterPattern.stringValue('$.errorType', '=', 'THROTTLED'),
        FilterPattern.stringValue('$.errorType', '=', 'QUOTA_EXCEEDED'),
      ),
      // Scanners on the internet send requests to `/` and to paths that do not exist. These requests must not page
      // anyone if they exceed their low limit.
      FilterPattern.stringValue('$.route', '!=', '/{proxy+}'),
      FilterPattern.stringValue('$.route', '!=', '/'),
    ),
  },
  {
    metricName: GATEWAY_METRICS.failed,
    filterPattern: FilterPattern.all(FilterPattern.stringValue('$.status', '=', '5*'), byGateway),
  },
] as const;

/** One line per request, and metrics of the responses that API Gateway generates itself. */
export class AccessLog extends LogGroup {
  static readonly format = AccessLogFormat.custom(JSON.stringify(FIELDS));

  /** `title` names the API in its metrics. */
  constructor(scope: Construct, id: string, { logRetentionDays, operations }: StageConfig, title: string) {
    super(scope, id, { retention: logRetentionDays });
    if (!operations) return;
    for (const { metricName, filterPattern } of FILTERS) {
      new MetricFilter(this, metricName, {
        logGroup: this,
        // A metric filter cannot set a constant dimension, so the namespace contains the stage and the API.
        metricNamespace: `${METRICS_NAMESPACE}/${title}`,
        metricName,
        filterPattern,
        metricValue: '1',
      });
    }
  }
}
