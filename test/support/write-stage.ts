import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const SETTINGS = join(import.meta.dirname, '../../cdk.json');

/** Writes a cdk.json that runs another app, with the context of the project's cdk.json and additional context. */
export function writeStage(directory: string, app: string, more: Readonly<Record<string, string>>): void {
  const { context } = JSON.parse(readFileSync(SETTINGS, 'utf8')) as { context: object };
  const settings = { app: `node ${app}`, context: { ...context, ...more } };
  writeFileSync(join(directory, 'cdk.json'), JSON.stringify(settings));
}
