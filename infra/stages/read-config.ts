import type { Node } from 'constructs';
import { type LiveRouting, STAGES, type Stage, type StageConfig } from '../config.ts';
import { dev } from './dev.ts';
import { local } from './local.ts';
import { prod } from './prod.ts';
import { staging } from './staging.ts';

const CONFIGS: Readonly<Record<Stage, StageConfig>> = { dev, staging, prod, local };

/** Returns the settings of the stage in the context (`-c stage=prod`, `-c publicBaseUrl=https://...`). */
export function readConfig(node: Node): StageConfig {
  const name: unknown = node.tryGetContext('stage') ?? 'dev';
  const stage = STAGES.find((one) => one === name);
  if (!stage) throw new Error(`The stage "${name}" is unknown. Use one of: ${STAGES.join(', ')}.`);
  const config = CONFIGS[stage];
  const domain = config.operations?.domain;
  const configured = config.publicBaseUrl ?? (domain && `https://${domain.name}`);
  return { ...config, publicBaseUrl: readPublicBaseUrl(node) ?? configured };
}

/** Returns the providers that serve a stage's live keys. */
export function registriesOf(stage: Stage): LiveRouting {
  return CONFIGS[stage].registries;
}

/** Returns how many days a stage keeps the rows of VerificationLogs. */
export function logRetentionDays(stage: Stage): number {
  return CONFIGS[stage].verificationLogRetentionDays;
}

function readPublicBaseUrl(node: Node): string | undefined {
  const url: unknown = node.tryGetContext('publicBaseUrl');
  if (url === undefined) return undefined;
  if (typeof url === 'string' && /^https:\/\/[^?#]+[^/?#]$/.test(url)) return url;
  throw new Error(
    `The context value publicBaseUrl is "${url}". Use an https URL without query and trailing slash, ` +
      'for example -c publicBaseUrl=https://api.example.com.',
  );
}
