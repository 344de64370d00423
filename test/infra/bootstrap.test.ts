import { expect, test } from '@jest/globals';
import { PARAMETER, REQUIRED_VERSION } from '../../clients/operator/preflight/bootstrap.ts';
import { synthesize } from './synthesis.ts';

test('the preflight requires the same bootstrap version as the templates', () => {
  const { Parameters, Rules } = synthesize('prod').data.toJSON() as {
    Parameters: { BootstrapVersion: { Default: string } };
    Rules: { CheckBootstrapVersion: { Assertions: { Assert: { 'Fn::Not': unknown } }[] } };
  };
  const refused = Array.from({ length: REQUIRED_VERSION - 1 }, (_, index) => String(index + 1));

  expect(Parameters.BootstrapVersion.Default).toBe(PARAMETER);
  expect(Rules.CheckBootstrapVersion.Assertions[0]?.Assert['Fn::Not']).toEqual([
    { 'Fn::Contains': [refused, { Ref: 'BootstrapVersion' }] },
  ]);
});
