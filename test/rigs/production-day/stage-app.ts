import { appendFileSync, cpSync } from 'node:fs';
import { join } from 'node:path';
import { buildApp } from '../../../infra/app.ts';
import { FUNCTION_NAMES } from '../../../infra/function-sources.ts';
import { RELEASES } from './releases.ts';

/**
 * The CDK app of the simulation: the stage `local`, with a primary provider over HTTP. Each synthesis is one release,
 * whose functions log its name when they start. Context: `release`, and `bundles`, the directory of the bundles.
 */
const context = JSON.parse(process.env['CDK_CONTEXT_JSON'] ?? '{}') as Record<string, string>;
const { release = '', bundles = '' } = context;
const provider = RELEASES[release];
if (!provider) throw new Error(`Unknown release "${release}". Known: ${Object.keys(RELEASES).join(', ')}.`);

const directory = join(process.env['CDK_OUTDIR'] ?? '', 'bundles');
cpSync(bundles, directory, { recursive: true });
const line = JSON.stringify(JSON.stringify({ message: 'release', release }));
for (const name of FUNCTION_NAMES)
  appendFileSync(join(directory, name, 'index.cjs'), `\nconsole.log(${line});\n`);

buildApp({
  bundles: new Map(FUNCTION_NAMES.map((name) => [name, join(directory, name)])),
  builtinCloudFormationValidation: false,
  changes: {
    registries: {
      NIN: ['dojah', 'sandbox'],
      BVN: ['dojah'],
      CAC: ['sandbox'],
      TIN: [provider],
      NUBAN: ['sandbox'],
    },
    // A simulation takes only minutes, so it cannot wait 20 s for each request to a registry.
    registryTimeoutMs: 8_000,
  },
}).synth();
