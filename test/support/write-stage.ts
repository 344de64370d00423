import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const SETTINGS = join(import.meta.dirname, '../../cdk.json');

/** Writes the project's settings with another app and additional context. Everything else is as in `npm start`. */
export function writeStage(directory: string, app: string, more: Readonly<Record<string, string>>): void {
  const { context } = JSON.parse(readFileSync(SETTINGS, 'utf8')) as { context: object };
  const settings = { app: `node ${app}`, context: { ...context, ...more } };
  writeFileSync(join(directory, 'cdk.json'), JSON.stringify(settings));
}
