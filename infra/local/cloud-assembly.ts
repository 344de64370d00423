import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import * as v from 'valibot';
import type { Stack, Template } from './cloudformation.ts';

/** The synthesized app: its stacks, and where the content of each deployed asset lies on this machine. */
export interface CloudAssembly {
  readonly stacks: readonly Stack[];
  /** From the name under which an asset is deployed (`<hash>.zip`) to its directory here. */
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
 * Runs the CDK app as `cdk synth` would, for the stage `local`, into `directory`.
 * Rejects with the app's own words where it does not synthesize.
 */
export async function synthesize(root: string, directory: string): Promise<CloudAssembly> {
  const settings = v.parse(cdkSettingsShape, parseFile(join(root, 'cdk.json')));
  const context = {
    ...settings.context,
    stage: 'local',
    // The path of a resource in the app ("nin-basic/Resource") is the name by which people know it.
    'aws:cdk:enable-path-metadata': true,
  };
  const app = spawn(settings.app, {
    cwd: root,
    shell: true,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      ...process.env,
      // The app runs on the same Node as we do.
      PATH: `${dirname(process.execPath)}${delimiter}${process.env['PATH']}`,
      CDK_OUTDIR: directory,
      CDK_CONTEXT_JSON: JSON.stringify(context),
      // CDK's own check of templates takes half of the time; it belongs to synth and deploy.
      CDK_VALIDATION: 'false',
    },
  });
  let words = '';
  app.stderr.setEncoding('utf8').on('data', (text: string) => {
    words += text;
  });
  const code = await new Promise((done, fail) => app.once('error', fail).once('close', done));
  if (code !== 0) throw new Error(`The CDK app does not synthesize (${settings.app}):\n${words.trim()}`);
  return readCloudAssembly(directory);
}

/** Reads what a synthesis left in `directory`: the templates of all stacks and the manifests of their assets. */
export function readCloudAssembly(directory: string): CloudAssembly {
  const manifest = v.parse(manifestShape, parseFile(join(directory, 'manifest.json')));
  const stacks: Stack[] = [];
  const assetDirectories = new Map<string, string>();
  for (const [id, { type, properties }] of Object.entries(manifest.artifacts)) {
    if (type === 'aws:cloudformation:stack' && properties?.templateFile) {
      // What CDK wrote a moment ago; each resource that matters is parsed where it is used.
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
