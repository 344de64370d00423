import type { Node } from 'constructs';
import type { MoneySettings } from '../../shared/payments/settings.ts';
import { type LiveRouting, STAGES, type Stage, type StageConfig } from '../config.ts';
import { dev } from './dev.ts';
import { local } from './local.ts';
import { checkPin, type Pin } from './pin.ts';
import { prod } from './prod.ts';
import { staging } from './staging.ts';

const CONFIGS: Readonly<Record<Stage, StageConfig>> = { dev, staging, prod, local };

/**
 * Returns the settings of the stage that the context names (`-c stage=prod`; dev by default), with `changes` applied.
 * `-c publicBaseUrl=https://...` overrides the public base URL. Throws if the context contains a region, which earlier
 * versions accepted: ignoring it would deploy the stage to another region.
 */
export function readConfig(node: Node, changes: Partial<StageConfig> = {}): StageConfig {
  const name: unknown = node.tryGetContext('stage') ?? 'dev';
  const stage = STAGES.find((one) => one === name);
  if (!stage) throw new Error(`The stage "${name}" is unknown. Use one of: ${STAGES.join(', ')}.`);
  if (node.tryGetContext('region') !== undefined)
    throw new Error(
      `The context value region has no effect. Set region in infra/stages/${stage}.ts instead.`,
    );
  const config = { ...CONFIGS[stage], ...changes };
  const domain = config.operations?.domain;
  const configured = config.publicBaseUrl ?? (domain && `https://${domain.name}`);
  return { ...config, publicBaseUrl: readPublicBaseUrl(node) ?? configured };
}

/** Returns whether the context asks for a deployment without a rollout (`-c deployNow=true`). */
export function readDeployNow(node: Node): boolean {
  const value: unknown = node.tryGetContext('deployNow');
  if (value === undefined) return false;
  if (value === 'true' || value === true) return true;
  throw new Error(
    `The context value deployNow is "${value}". Use -c deployNow=true to shift all traffic at once, or leave it out.`,
  );
}

/** Returns the settings in the file of a stage, without checking them. */
export function stageConfig(stage: Stage): StageConfig {
  return CONFIGS[stage];
}

/** Returns the account and region of a stage. Throws if the stage must have them and its file does not. */
export function pinOf(stage: Stage): Pin {
  const { account, region } = CONFIGS[stage];
  const pin = { stage, account, region };
  checkPin(pin);
  return pin;
}

/** Returns the providers that serve a stage's live keys. */
export function registriesOf(stage: Stage): LiveRouting {
  return CONFIGS[stage].registries;
}

/** Returns how many days a stage keeps the rows of VerificationLogs. */
export function logRetentionDays(stage: Stage): number {
  return CONFIGS[stage].verificationLogRetentionDays;
}

/** Returns a stage's money settings, if it has any. */
export function moneyOf(stage: Stage): MoneySettings | undefined {
  return CONFIGS[stage].money;
}

function readPublicBaseUrl(node: Node): string | undefined {
  const url: unknown = node.tryGetContext('publicBaseUrl');
  if (url === undefined) return undefined;
  if (typeof url === 'string' && /^https:\/\/[^?#]+[^/?#]$/.test(url)) return url;
  throw new Error(
    `The context value publicBaseUrl is "${url}". Use an https URL without a query or trailing slash, ` +
      'for example -c publicBaseUrl=https://api.example.com.',
  );
}
