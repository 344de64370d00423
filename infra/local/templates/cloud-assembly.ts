import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import * as v from 'valibot';
import type { Stack, Template } from './template.ts';

/** A synthesised CDK app: its stacks, and the directories of its assets. */
export interface CloudAssembly {
  readonly stacks: readonly Stack[];
  /** The directory of each asset, by the object key under which it would be deployed (`<hash>.zip`). */
  readonly assetDirectories: ReadonlyMap<string, string>;
}

const manifestShape = v.object({
  artifacts: v.record(
    v.string(),
    v.object({
      type: v.string(),
      properties: v.optional(
        v.object({
          templateFile: v.optional(v.string()),
          stackName: v.optional(v.string()),
          file: v.optional(v.string()),
        }),
      ),
    }),
  ),
});

const assetsShape = v.object({
  files: v.record(
    v.string(),
    v.object({
      source: v.object({ path: v.string() }),
      destinations: v.record(v.string(), v.object({ objectKey: v.string() })),
    }),
  ),
});

const cdkSettingsShape = v.object({
  app: v.string(),
  context: v.optional(v.record(v.string(), v.unknown()), {}),
});

/**
 * Synthesises the CDK app of the project `root` into `directory`, for the stage `local`, as `cdk synth` would.
 * Rejects with the app's error output if synthesis fails.
 */
export async function synthesise(root: string, directory: string): Promise<CloudAssembly> {
  const settings = v.parse(cdkSettingsShape, parseFile(join(root, 'cdk.json')));
  const context = {
    ...settings.context,
    stage: 'local',
    // Functions get their short names from the resource paths ("nin-basic/Resource").
    'aws:cdk:enable-path-metadata': true,
  };
  const app = spawn(settings.app, {
    cwd: root,
    shell: true,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      ...process.env,
      // Runs the app with the same version of Node as this program.
      PATH: `${dirname(process.execPath)}${delimiter}${process.env['PATH']}`,
      CDK_OUTDIR: directory,
      CDK_CONTEXT_JSON: JSON.stringify(context),
      // Template validation takes half of the synthesis time. `npm run synth` and deployments still validate.
      CDK_VALIDATION: 'false',
    },
  });
  let errorOutput = '';
  app.stderr.setEncoding('utf8').on('data', (text: string) => {
    errorOutput += text;
  });
  const code = await new Promise((done, fail) => app.once('error', fail).once('close', done));
  if (code !== 0)
    throw new Error(`The CDK app failed to synthesise (${settings.app}):\n${errorOutput.trim()}`);
  return readCloudAssembly(directory);
}

/** Reads a synthesised app from `directory`: the templates of all stacks and their asset manifests. */
export function readCloudAssembly(directory: string): CloudAssembly {
  const manifest = v.parse(manifestShape, parseFile(join(directory, 'manifest.json')));
  const stacks: Stack[] = [];
  const assetDirectories = new Map<string, string>();
  for (const [id, { type, properties }] of Object.entries(manifest.artifacts)) {
    if (type === 'aws:cloudformation:stack' && properties?.templateFile) {
      // Not validated here: the modules that use a resource parse its properties.
      const template = parseFile(join(directory, properties.templateFile)) as Template;
      stacks.push({ name: properties.stackName ?? id, template });
    }
    if (type === 'cdk:asset-manifest' && properties?.file) {
      const assets = v.parse(assetsShape, parseFile(join(directory, properties.file)));
      for (const { source, destinations } of Object.values(assets.files)) {
        for (const { objectKey } of Object.values(destinations)) {
          assetDirectories.set(objectKey, resolve(directory, source.path));
        }
      }
    }
  }
  return { stacks, assetDirectories };
}

function parseFile(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}
