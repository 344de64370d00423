import type { ConsoleConfig, StageConfig } from '../../infra/config.ts';

/** The settings of an invented console. */
export const CONSOLE_SETTINGS = {
  domain: { name: 'console.example.com', hostedZone: { id: 'Z0MADEUP', name: 'example.com' } },
  signInPrefix: 'example-identity',
  mailFrom: 'console@example.com',
  terms: { version: '2026-11', url: 'https://example.com/terms' },
  testCredits: 1_000,
  documentationUrl: 'https://example.com/docs',
} as const satisfies ConsoleConfig;

/** The settings of a stage on AWS with a console, whose pages show the address of the API. */
export const CONSOLE = {
  console: CONSOLE_SETTINGS,
  publicBaseUrl: 'https://api.example.com',
} as const satisfies Partial<StageConfig>;
