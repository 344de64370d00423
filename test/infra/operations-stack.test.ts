import { describe, expect, test } from '@jest/globals';
import { functionsOf, resourcesOf, synthesize } from './synthesis.ts';

const { api, operations } = synthesize();
const alarms = [...resourcesOf(operations, 'AWS::CloudWatch::Alarm').values()].map(
  ({ Properties }) => Properties,
);

function alarmsOn(metric: string) {
  return alarms.filter(({ MetricName }) => MetricName === metric);
}

describe('the operations stack', () => {
  test('rings when the books differ at all, and when nobody has checked them for two days', () => {
    expect(alarmsOn('reconciliationDifferences')).toEqual([
      expect.objectContaining({
        ...{ Statistic: 'Maximum', Threshold: 0, ComparisonOperator: 'GreaterThanThreshold' },
        ...{ Period: 86_400, EvaluationPeriods: 1, TreatMissingData: 'notBreaching' },
      }),
      expect.objectContaining({
        ...{ Statistic: 'SampleCount', Threshold: 1, ComparisonOperator: 'LessThanThreshold' },
        ...{ Period: 86_400, EvaluationPeriods: 2, TreatMissingData: 'breaching' },
      }),
    ]);
  });

  test('rings when a hold is older than 5 minutes, and when the sweeper is silent for 5', () => {
    expect(alarmsOn('oldestHold')).toEqual([
      expect.objectContaining({
        ...{ Statistic: 'Maximum', Threshold: 300_000, ComparisonOperator: 'GreaterThanThreshold' },
        ...{ Period: 60, EvaluationPeriods: 5, TreatMissingData: 'breaching' },
      }),
    ]);
  });

  test('rings when a hold is left to a person', () => {
    expect(alarmsOn('quarantinedHolds')).toEqual([
      expect.objectContaining({ Statistic: 'Maximum', Threshold: 0, TreatMissingData: 'notBreaching' }),
    ]);
  });

  test('watches metrics where the functions write them', () => {
    const { environment } = functionsOf(api).find(({ name }) => name === 'sweep-holds') ?? {
      environment: {} as Record<string, unknown>,
    };
    for (const { Namespace, Dimensions } of alarms) {
      expect(Namespace).toBe(environment['POWERTOOLS_METRICS_NAMESPACE']);
      expect(Dimensions).toEqual([{ Name: 'service', Value: environment['POWERTOOLS_SERVICE_NAME'] }]);
    }
  });

  test('tells with every alarm where to read what to do, and tells it to the topic', () => {
    const [topic] = resourcesOf(operations, 'AWS::SNS::Topic').keys();
    expect(alarms.length).toBeGreaterThan(3);
    for (const { AlarmDescription, AlarmActions, OKActions } of alarms) {
      expect(AlarmDescription).toMatch(/^[A-Z].*\. What to do: docs\/operations\.md, "[A-Z][a-z ]+"\.$/);
      expect(AlarmActions).toEqual([{ Ref: topic }]);
      expect(OKActions).toEqual([{ Ref: topic }]);
    }
  });
});
