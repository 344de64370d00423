import type { Dns } from '../../clients/operator/preflight/dns.ts';
import type { OperationsConfig, StageConfig } from '../../infra/config.ts';
import { prod } from '../../infra/stages/prod.ts';
import { MONEY } from '../infra/money.ts';
import { ACCOUNT, CERTIFICATE, REGION } from './account-double.ts';

/** The prod stage as an operator sets it up, and the DNS records that it needs. */

export const NOW_MS = Date.parse('2026-11-22T12:00:00Z');
const TARGET = `d-a1b2c3d4e5.execute-api.${REGION}.amazonaws.com`;

export function prodConfig(
  changes: Partial<StageConfig> = {},
  operations: Partial<OperationsConfig> = {},
): StageConfig {
  return {
    ...prod,
    account: ACCOUNT,
    region: REGION,
    registries: { NIN: ['prembly', 'dojah'], BVN: ['prembly'] },
    ...MONEY,
    operations: {
      accountConcurrency: 1_000,
      ...prod.operations,
      alarmEmail: 'oncall@example.com',
      domain: { name: 'api.example.com', certificateArn: CERTIFICATE },
      generatedUrl: 'closed',
      ...operations,
    },
    ...changes,
  };
}

export const HEALTHY_DNS: Dns = {
  async resolve(name) {
    if (name === 'api.example.com' || name === 'console.example.com')
      return { addresses: ['192.0.2.10'], alias: TARGET };
    return { addresses: name === TARGET ? ['192.0.2.10', '192.0.2.11'] : [] };
  },
  nameServers: async () => ['ns-1.dns.example', 'ns-2.dns.example'],
  issuers: async () => undefined,
};
