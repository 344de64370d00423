import type { Node } from 'constructs';
import { type LiveRouting, STAGES, type Stage, type StageConfig } from '../config.ts';
import { dev } from './dev.ts';
import { local } from './local.ts';
import { checkPin, type Pin } from './pin.ts';
import { prod } from './prod.ts';
import { staging } from './staging.ts';

const CONFIGS: Readonly<Record<Stage, StageConfig>> = { dev, staging, prod, local };

/**
 * `-c stage=prod` (default dev) and `-c publicBaseUrl=https://...`, with `changes` applied. Throws if the context
 * contains a region, as in earlier versions: ignoring it would deploy to another region.
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

/** `-c deployNow=true` shifts all traffic at once, and `-c backupVault=true` selects the vault of the backups. */
export function readFlag(node: Node, name: 'deployNow' | 'backupVault'): boolean {
  const value: unknown = node.tryGetContext(name);
  if (value === undefined) return false;
  if (value === 'true' || value === true) return true;
  throw new Error(`The context value ${name} is "${value}". Use -c ${name}=true, or leave it out.`);
}

/** Unchecked. */
export function stageConfig(stage: Stage): StageConfig {
  return CONFIGS[stage];
}

/** Throws if the stage must have them and its file does not. */
export function pinOf(stage: Stage): Pin {
  const { account, region } = CONFIGS[stage];
  const pin = { stage, account, region };
  checkPin(pin);
  return pin;
}

export function registriesOf(stage: Stage): LiveRouting {
  return CONFIGS[stage].registries;
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
