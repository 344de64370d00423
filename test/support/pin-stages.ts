import { fileURLToPath } from 'node:url';
import type { StageConfig } from '../../infra/config.ts';
import { prod } from '../../infra/stages/prod.ts';
import { staging } from '../../infra/stages/staging.ts';

/** The account and region that tests give to staging and prod. Operators set them in `infra/stages`. */
export const PIN = { account: '123456789012', region: 'eu-west-1' } as const;

/** Returns the settings to add to those of the repository, so that the stage can be synthesised. */
export function pinFor(stage: string): Partial<typeof PIN> {
  return stage === 'staging' || stage === 'prod' ? PIN : {};
}

/** Changes these settings of staging and prod in this process. By default, sets an account and a region. */
export function pinStages(pin: Partial<StageConfig> = PIN): void {
  Object.assign(staging, pin);
  Object.assign(prod, pin);
}

/** The environment variable that makes a Node program start with `pinStages()`. */
export const PINNED = {
  NODE_OPTIONS: `--import=${fileURLToPath(new URL('pinned-program.ts', import.meta.url))}`,
} as const;
