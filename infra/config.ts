import type { Node } from 'constructs';
import { ID_TYPES, type IdType } from '../shared/core/id-types.ts';

/** What differs between the stages. To change how a stage runs, change its row here and deploy. */

export const STAGES = ['dev', 'staging', 'prod', 'local'] as const;
export type Stage = (typeof STAGES)[number];

/** The registry providers that have a secret of their own, besides the sandbox. */
export const PROVIDERS = ['prembly', 'dojah', 'qoreid', 'paystack', 'youverify'] as const;
export type Provider = (typeof PROVIDERS)[number];

/** The providers that serve live keys, by ID type, in the order in which they are asked. */
export type LiveRouting = Partial<Readonly<Record<IdType, readonly (Provider | 'sandbox')[]>>>;

export interface StageConfig {
  readonly stage: Stage;
  /** What API Gateway lets in for all callers together, in requests per second; keys have limits of their own. */
  readonly throttling: { readonly rateLimit: number; readonly burstLimit: number };
  /** How long the lines of functions and of the access log are kept; one of CloudWatch's own steps. */
  readonly logRetentionDays: 7 | 30 | 90 | 365;
  /** How long rows of VerificationLogs are kept (decision E6). */
  readonly verificationLogRetentionDays: number;
  /** An ID type that is missing here answers 503 to live keys. */
  readonly registries: LiveRouting;
  /** Longest wait for a registry (ledger design). */
  readonly registryTimeoutMs: number;
  /** Takes the 13-digit Tax ID beside the TIN (decision D6). */
  readonly acceptTaxId: boolean;
  readonly logLevel: 'DEBUG' | 'INFO';
  readonly functionMemoryMb: number;
  /** The address in QR codes, for example of a domain of your own. @default the address of the request */
  readonly publicBaseUrl?: string | undefined;
}

const COMMON = {
  throttling: { rateLimit: 100, burstLimit: 200 },
  logRetentionDays: 30,
  verificationLogRetentionDays: 365,
  registries: {},
  registryTimeoutMs: 20_000,
  acceptTaxId: false,
  logLevel: 'INFO',
  functionMemoryMb: 512,
} as const satisfies Omit<StageConfig, 'stage'>;

const CONFIGS: Readonly<Record<Stage, Omit<StageConfig, 'stage'>>> = {
  dev: { ...COMMON, logRetentionDays: 7, logLevel: 'DEBUG' },
  staging: COMMON,
  prod: { ...COMMON, throttling: { rateLimit: 1_000, burstLimit: 2_000 }, logRetentionDays: 365 },
  local: {
    ...COMMON,
    throttling: { rateLimit: 10_000, burstLimit: 10_000 },
    registries: Object.fromEntries(ID_TYPES.map((idType) => [idType, ['sandbox']])),
  },
};

/** The settings of the stage that the context names (`-c stage=prod`, `-c publicBaseUrl=https://...`). */
export function readConfig(node: Node): StageConfig {
  const wanted: unknown = node.tryGetContext('stage') ?? 'dev';
  const stage = STAGES.find((name) => name === wanted);
  if (!stage) throw new Error(`There is no stage "${wanted}". The stages are ${STAGES.join(', ')}.`);
  return { stage, ...CONFIGS[stage], publicBaseUrl: readPublicBaseUrl(node) };
}

/** How long a stage keeps the rows of VerificationLogs. */
export function logRetentionDays(stage: Stage): number {
  return CONFIGS[stage].verificationLogRetentionDays;
}

/**
 * Throws where invented records could be sold as real ones: only the stage `local` may ask the sandbox for
 * live keys (decision A9).
 */
export function refuseSandbox({ stage, registries }: StageConfig): void {
  const asking = ID_TYPES.filter((idType) => registries[idType]?.includes('sandbox'));
  if (stage === 'local' || asking.length === 0) return;
  throw new Error(
    `The stage "${stage}" would ask the sandbox, which invents its records, for live ${asking.join(', ')} numbers. ` +
      'Only the stage "local" may do that: name real providers in infra/config.ts, or none.',
  );
}

function readPublicBaseUrl(node: Node): string | undefined {
  const url: unknown = node.tryGetContext('publicBaseUrl');
  if (url === undefined) return undefined;
  if (typeof url === 'string' && /^https:\/\/[^?#]+[^/?#]$/.test(url)) return url;
  throw new Error('publicBaseUrl is an https address without a slash at its end.');
}
