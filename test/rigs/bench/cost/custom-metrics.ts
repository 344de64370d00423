interface Directive {
  readonly Dimensions: readonly (readonly string[])[];
  readonly Metrics: readonly { readonly Name: string }[];
}

/**
 * Returns the custom metrics that CloudWatch extracts from these log lines and bills: each combination of a name and
 * the values of its dimensions, sorted, such as `foundResults NIN dojah`. `service` is left out, because it is the same
 * throughout a stage.
 */
export function customMetricsIn(lines: readonly Readonly<Record<string, unknown>>[]): string[] {
  const found = lines.flatMap((line) => {
    const { CloudWatchMetrics = [] } = (line['_aws'] ?? {}) as { CloudWatchMetrics?: Directive[] };
    return CloudWatchMetrics.flatMap(({ Dimensions, Metrics }) =>
      Dimensions.flatMap((keys) =>
        Metrics.map(({ Name }) => {
          const values = keys.filter((key) => key !== 'service').map((key) => String(line[key]));
          return [Name, ...values.sort()].join(' ');
        }),
      ),
    );
  });
  return [...new Set(found)].sort();
}
