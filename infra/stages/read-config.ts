import type { Node } from 'constructs';
import { type LiveRouting, STAGES, type Stage, type StageConfig } from '../config.ts';
import { dev } from './dev.ts';
import { local } from './local.ts';
import { prod } from './prod.ts';
import { staging } from './staging.ts';

const CONFIGS: Readonly<Record<Stage, StageConfig>> = { dev, staging, prod, local };

/** The settings of the stage that the context names (`-c stage=prod`, `-c publicBaseUrl=https://...`). */
export function readConfig(node: Node): StageConfig {
  const wanted: unknown = node.tryGetContext('stage') ?? 'dev';
  const stage = STAGES.find((name) => name === wanted);
  if (!stage) throw new Error(`There is no stage "${wanted}". The stages are ${STAGES.join(', ')}.`);
  const config = CONFIGS[stage];
  const domain = config.operations?.domain;
  const own = config.publicBaseUrl ?? (domain && `https://${domain.name}`);
  return { ...config, publicBaseUrl: readPublicBaseUrl(node) ?? own };
}

/** Who serves a stage's live keys, in which order. */
export function registriesOf(stage: Stage): LiveRouting {
  return CONFIGS[stage].registries;
}

/** How long a stage keeps the rows of VerificationLogs. */
export function logRetentionDays(stage: Stage): number {
  return CONFIGS[stage].verificationLogRetentionDays;
}

function readPublicBaseUrl(node: Node): string | undefined {
  const url: unknown = node.tryGetContext('publicBaseUrl');
  if (url === undefined) return undefined;
  if (typeof url === 'string' && /^https:\/\/[^?#]+[^/?#]$/.test(url)) return url;
  throw new Error('publicBaseUrl is an https address without a slash at its end.');
}
