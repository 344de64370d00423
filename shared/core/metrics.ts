import { setting } from './config.ts';

/**
 * Metrics in CloudWatch's embedded format (EMF): log lines from which CloudWatch extracts metrics, without a call. The
 * format:
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 * CloudWatch bills each combination of name and dimensions separately. Metrics marked "rare" are published only when
 * they are not 0.
 */

export const METRICS_NAMESPACE = 'IdentityVerification';

const UNITS = {
  /** 1 or 0 for each request that the objectives in docs/operate/slo.md count: the mean is the share of failed requests. */
  failedRequests: 'Count',
  /** The latency of look-ups with live keys, except slips, excluding the time spent waiting for providers. */
  ownLatency: 'Milliseconds',
  /** The latency of each attempt to look up a number with a provider for a live request. */
  lookUpLatency: 'Milliseconds',
  /** 1 or 0 for each such attempt: whether the provider was unreachable or too slow. */
  failedLookUps: 'Count',
  /** 1 or 0 for each result of a provider for a live request: whether it was a record. */
  foundResults: 'Count',
  /** 1 or 0 for each such result: whether it was an error or could not be used. */
  failedResults: 'Count',
  /** Only for requests that are charged. */
  creditsCharged: 'Count',
  /** Rare. */
  faults: 'Count',
  /** Rare. */
  unavailableWallets: 'Count',
  /** Rare. */
  unconfirmedCharges: 'Count',
  /** Rare. */
  versionFaults: 'Count',
  /** Rare. */
  maybeBilled: 'Count',
  /** Rare. */
  rejectedKeys: 'Count',
  /** Rare. */
  guessLimited: 'Count',
  /** Rare. */
  newNetworks: 'Count',
  /** Each minute, by the sweeper. */
  oldestHold: 'Milliseconds',
  /** Rare. */
  releasedHolds: 'Count',
  /** Rare. */
  quarantinedHolds: 'Count',
  /** Each minute, by settle-top-ups in a stage with money settings. */
  paymentsToReview: 'Count',
  /** The share of the orders in a run of settle-top-ups that could not be settled. */
  unsettledPayments: 'Percent',
  /** Rare. */
  rejectedWebhooks: 'Count',
  /** Each hour, by roll-up-usage: the time since the last count of the wallet that is furthest behind. */
  oldestUsage: 'Milliseconds',
  /** Rare. Sign-ins to the console that failed because the identity provider had an error or was not reachable, and failed sign-ups. */
  failedSignIns: 'Count',
  /** Rare. Sign-ups without an email, because those of the day were used up for the whole stage. */
  limitedSignUps: 'Count',
  /** Rare. */
  unhandledMessages: 'Count',
  /** Rare. */
  failedDeliveries: 'Count',
  /** Rare. */
  changedAuditRows: 'Count',
  /** Daily, and as soon as differences are found. */
  reconciliationDifferences: 'Count',
  /** Each minute, by publish-events. */
  registriesDown: 'Count',
  /** Rare. */
  withManyLookUps: 'Count',
  /** Rare. */
  withManyMisses: 'Count',
  /** Each minute, by the probe, in its own region: the number of its requests that failed. */
  failedProbes: 'Count',
  /** Rare. The instance continues with the secret that it has. */
  failedSecretRefreshes: 'Count',
  /** Every 6 hours. */
  oldestSecretDays: 'Count',
} as const;

export type MetricName = keyof typeof UNITS;

/** A list has one value for each occurrence, at most 100 (the limit of the format). */
export type MetricValues = Partial<Readonly<Record<MetricName, number | readonly number[]>>>;

export interface MetricGroup {
  readonly values: MetricValues;
  /** In addition to `service`, which names the stage. @default none */
  readonly dimensions?: Readonly<Record<string, string>>;
}

export const metricLog = {
  write(line: string): void {
    process.stdout.write(`${line}\n`);
  },
};

/**
 * Writes the metrics of all groups. A line has each name once: groups in which a metric or dimension differs are in
 * lines of their own. Writes nothing if there are no values.
 */
export function publishMetrics(...groups: readonly MetricGroup[]): void {
  const lines: MetricGroup[][] = [];
  for (const group of groups.filter(({ values }) => Object.keys(values).length > 0)) {
    const line = lines.find((others) => others.every((one) => !differs(one, group)));
    if (line) line.push(group);
    else lines.push([group]);
  }
  for (const used of lines)
    metricLog.write(
      JSON.stringify({
        _aws: { Timestamp: Date.now(), CloudWatchMetrics: used.map(directive) },
        service: setting('POWERTOOLS_SERVICE_NAME'),
        ...Object.assign({}, ...used.map(({ dimensions }) => dimensions)),
        ...Object.assign({}, ...used.map(({ values }) => values)),
      }),
    );
}

function differs(one: MetricGroup, other: MetricGroup): boolean {
  const known = new Map<string, unknown>(Object.entries({ ...one.dimensions, ...one.values }));
  return Object.entries({ ...other.dimensions, ...other.values }).some(
    ([name, value]) => known.has(name) && JSON.stringify(known.get(name)) !== JSON.stringify(value),
  );
}

/** Returns these values without those that are 0, for metrics that are rare. */
export function onlyAboveZero(values: Partial<Readonly<Record<MetricName, number>>>): MetricValues {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value > 0));
}

function directive({ values, dimensions = {} }: MetricGroup) {
  return {
    Namespace: METRICS_NAMESPACE,
    Dimensions: [['service', ...Object.keys(dimensions)]],
    Metrics: (Object.keys(values) as MetricName[]).map((Name) => ({ Name, Unit: UNITS[Name] })),
  };
}
