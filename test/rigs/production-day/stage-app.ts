import { appendFileSync, cpSync } from 'node:fs';
import { join } from 'node:path';
import { buildApp } from '../../../infra/app.ts';
import { FUNCTION_NAMES } from '../../../infra/routes.ts';
import { TELLTALE } from './telltale.ts';

/**
 * The CDK app of the day: the stage `local`, with a primary provider over the wire. Each synthesis is one release; its
 * functions name it when they start. Context: `release`, and `bundles`, the directory of the bundled functions.
 */
const context = JSON.parse(process.env['CDK_CONTEXT_JSON'] ?? '{}') as Record<string, string>;
const { release = '', bundles = '' } = context;
const provider = TELLTALE[release];
if (!provider) throw new Error(`There is no release "${release}".`);

const directory = join(process.env['CDK_OUTDIR'] ?? '', 'bundles');
cpSync(bundles, directory, { recursive: true });
const line = JSON.stringify(JSON.stringify({ message: 'release', release }));
for (const name of FUNCTION_NAMES)
  appendFileSync(join(directory, name, 'index.cjs'), `\nconsole.log(${line});\n`);

buildApp({
  bundles: new Map(FUNCTION_NAMES.map((name) => [name, join(directory, name)])),
  changes: {
    registries: {
      NIN: ['dojah', 'sandbox'],
      BVN: ['dojah'],
      CAC: ['sandbox'],
      TIN: [provider],
      NUBAN: ['sandbox'],
    },
    // A day of minutes has no time for registries that take 20 s.
    registryTimeoutMs: 8_000,
  },
}).synth();
