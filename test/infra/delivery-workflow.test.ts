import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { mustRun } from '../support/programs.ts';

/**
 * Checks the workflows in .github: everything that they call exists, and the pipeline deploys only what it has tested.
 */

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const workflowFile = (name: string) => readFileSync(join(ROOT, '.github/workflows', name), 'utf8');
const FILE = workflowFile('deploy.yml');

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly if?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
}

interface Job {
  readonly needs?: string;
  readonly if?: string;
  readonly environment?: string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly 'timeout-minutes'?: number;
  readonly steps: readonly Step[];
}

interface Workflow {
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

const DEPLOYS = ['staging', 'prod'] as const;
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};

/** The help of each program that the workflow calls with options. */
const help = new Map<string, string>();

beforeAll(async () => {
  const cdk = join(ROOT, 'node_modules/aws-cdk/bin/cdk');
  for (const command of ['synth', 'deploy'])
    help.set(`npx cdk ${command}`, await mustRun(process.execPath, [cdk, command, '--help'], { cwd: ROOT }));
  const playwright = join(ROOT, 'node_modules/playwright-core/cli.js');
  help.set(
    'npx playwright-core install',
    await mustRun(process.execPath, [playwright, 'install', '--help'], { cwd: ROOT }),
  );
  for (const [script, program] of [
    ['sbom', 'infra/bundle/sbom.ts'],
    ['smoke', 'clients/operator/smoke.ts'],
  ] as const)
    help.set(`npm run ${script}`, await mustRun(process.execPath, [program, '--help'], { cwd: ROOT }));
});

/** Returns the faults of a workflow. */
function problemsOf(text: string): string[] {
  const workflow = parse(text, { strict: true, uniqueKeys: true }) as Workflow;
  return Object.entries(workflow.jobs).flatMap(([name, job]) => [
    ...(job['timeout-minutes'] ? [] : [`${name} has no timeout`]),
    ...job.steps.flatMap((step) => [...actionProblems(step, text), ...commandProblems(step)]),
    ...accessProblems(name, job, workflow.permissions),
  ]);
}

function actionProblems({ uses }: Step, text: string): string[] {
  if (uses === undefined) return [];
  const lines = text.split('\n').filter((line) => line.includes(uses));
  const isPinned = lines.every((line) => /uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line));
  return isPinned ? [] : [`${uses} is not pinned to a commit, with its version in a comment`];
}

/** Returns a message for each script, program or option in a step's command that does not exist. */
function commandProblems({ run }: Step): string[] {
  const command = run?.replaceAll(/\$\{\{.*?\}\}/g, '-c deployNow=true').replace(/\$\(git grep .*\)/, '');
  if (
    command === undefined ||
    /^npm ci( --ignore-scripts)?$/.test(command) ||
    command.startsWith('echo "CHROMIUM=')
  )
    return [];
  const [, script] = /^npm (?:run )?([\w:-]+)/.exec(command) ?? [];
  if (script !== undefined && !(script in scripts)) return [`npm has no script ${script}`];
  const program = [...help.keys()].find((one) => command.startsWith(`${one} `));
  const options = command.match(/ --?[a-z][\w-]*/g) ?? [];
  if (!program) return options.length > 0 || !script ? [`${command} is not a known command`] : [];
  const text = help.get(program) ?? '';
  return options
    .map((option) => option.trim())
    .filter((option) => !new RegExp(`(^|[ ,])${option}([ ,<]|$)`, 'm').test(text))
    .map((option) => `${program} has no option ${option}`);
}

/** Returns what is wrong with a job: only deployments get credentials, each for its own environment. */
function accessProblems(name: string, job: Job, shared: Workflow['permissions']): string[] {
  const commands = job.steps.map(({ run = '' }) => run);
  const isDeployment = DEPLOYS.some((stage) => stage === name);
  const permissions = JSON.stringify(job.permissions ?? shared);
  const expected = isDeployment ? '{"contents":"read","id-token":"write"}' : '{"contents":"read"}';
  return [
    ...(permissions === expected ? [] : [`${name} has the permissions ${permissions}`]),
    ...(job.environment === (isDeployment ? name : undefined) ? [] : [`${name} has another environment`]),
    ...(isDeployment && commands.find(Boolean) !== 'npm ci --ignore-scripts'
      ? [`${name} runs install scripts of dependencies`]
      : []),
    ...(isDeployment && commands.some((run) => run.includes('cdk synth')) ? [`${name} synthesises`] : []),
    ...(isDeployment &&
    !commands.includes(`npx cdk deploy --all --app cdk.out/${name} --require-approval never`)
      ? [`${name} does not deploy its synthesised app`]
      : []),
    ...job.steps
      .filter(
        ({ run, env }) =>
          JSON.stringify(env ?? {}).includes('secrets.') && !run?.startsWith('npm run smoke '),
      )
      .map(({ run }) => `${name} gives a secret to ${run}`),
  ];
}

const { jobs } = parse(FILE) as Workflow;

describe('the workflow', () => {
  test('calls only what exists, and gives credentials only to deployments', () => {
    expect(problemsOf(FILE)).toEqual([]);
  });

  test.each([
    ['npm ci', 'npm run build', 'npm has no script build'],
    ['--require-approval never', '--approve', 'npx cdk deploy has no option --approve'],
    ['--output sbom.cdx.json', '--out sbom.cdx.json', 'npm run sbom has no option --out'],
    ['-- --url', '-- --address', 'npm run smoke has no option --address'],
    ['--quiet', '--silent', 'npx cdk synth has no option --silent'],
    ['# v7.0.1', '', 'is not pinned to a commit'],
    [/@[0-9a-f]{40}/, '@v7', 'actions/checkout@v7 is not pinned'],
    ['environment: prod', 'environment: staging', 'prod has another environment'],
    ['contents: read', 'contents: write', 'test has the permissions {"contents":"write"}'],
    ['cdk.out/prod --require', 'cdk.out/staging --require', 'prod does not deploy its synthesised app'],
    ['timeout-minutes: 40', '', 'test has no timeout'],
    [' --ignore-scripts', '', 'staging runs install scripts of dependencies'],
  ])('with %s replaced by %s is rejected', (from, to, problem) => {
    const changed = FILE.replace(from, to);
    expect(changed).not.toBe(FILE);
    expect(problemsOf(changed).join('\n')).toContain(problem);
  });

  test('tests, synthesises both stages once, and deploys staging and then prod', () => {
    const needs = Object.entries(jobs).map(([name, job]) => [name, job.needs]);
    expect(needs).toEqual([
      ['test', undefined],
      ['synthesise', 'test'],
      ['staging', 'synthesise'],
      ['prod', 'staging'],
    ]);
    const synths = Object.values(jobs).flatMap(({ steps }) =>
      steps.flatMap(({ run = '' }) => /cdk synth .*-c stage=(\w+) --output (\S+)/.exec(run)?.slice(1) ?? []),
    );
    expect(synths).toEqual(['staging', 'cdk.out/staging', 'prod', 'cdk.out/prod']);
  });

  test('runs the smoke test of each stage after its deployment, as the last step', () => {
    for (const stage of DEPLOYS) {
      const steps = jobs[stage]?.steps ?? [];
      const at = (text: string) => steps.findIndex(({ run, uses }) => (run ?? uses)?.startsWith(text));
      // The credentials come after the installation.
      expect(at('aws-actions/configure-aws-credentials')).toBeGreaterThan(at('npm ci'));
      const commands = steps.flatMap(({ run }) => run ?? []);
      expect(commands.at(-1)).toBe('npm run smoke -- --url "$API_URL"');
      expect(commands.at(-2)).toContain('npx cdk deploy');
    }
  });

  test('deploys the artefact that it synthesised', () => {
    const uploaded = jobs['synthesise']?.steps.find(({ with: input }) => input?.['path'] === 'cdk.out');
    expect(uploaded?.uses).toMatch(/^actions\/upload-artifact@/);
    for (const stage of DEPLOYS) {
      const downloaded = jobs[stage]?.steps.find(({ uses = '' }) =>
        uses.startsWith('actions/download-artifact@'),
      );
      expect(downloaded?.with).toEqual({ name: uploaded?.with?.['name'], path: 'cdk.out' });
    }
  });
});

test.each([
  ['deploy.yml', 'test', 'DELIVERY'],
  ['publish-python.yml', 'build', 'PUBLISH_PYTHON'],
  ['publish-typescript.yml', 'build', 'PUBLISH_TYPESCRIPT'],
])('%s does nothing until its variable is created', (name, first, variable) => {
  const others = Object.entries((parse(workflowFile(name)) as Workflow).jobs).filter(
    ([job]) => job !== first,
  );
  expect((parse(workflowFile(name)) as Workflow).jobs[first]?.if).toBe(`vars.${variable} != ''`);
  // A job is skipped with the one that it needs.
  for (const [, { needs, if: condition }] of others)
    expect([needs, condition]).toEqual([expect.any(String), undefined]);
  const page = name === 'deploy.yml' ? 'delivery' : 'publish-clients';
  expect(readFileSync(join(ROOT, `docs/operate/${page}.md`), 'utf8')).toContain(`\`${variable}\``);
});

describe('the checks of each push', () => {
  const text = workflowFile('ci.yml');
  const workflow = parse(text) as Workflow;

  test('call only what exists, without credentials', () => {
    expect(problemsOf(text)).toEqual([]);
    expect(problemsOf(text.replace('npm test', 'npm run tests')).join()).toContain('no script tests');
    expect(problemsOf(text.replace('--with-deps', '--all')).join()).toContain('no option --all');
  });

  test('run the commands of the README on both processors', () => {
    const { test: job } = workflow.jobs;
    expect(job).toMatchObject({ strategy: { matrix: { os: ['ubuntu-24.04', 'ubuntu-24.04-arm'] } } });
    const unconditional = job?.steps.filter((step) => step.run !== undefined && step.if === undefined);
    expect(unconditional?.map(({ run }) => run)).toEqual(['npm ci', 'npm test']);
    expect(readFileSync(join(ROOT, 'README.md'), 'utf8')).toMatch(/^npm ci && npm test /m);
  });

  test('run all files that need a browser with the browser of the system', async () => {
    const [, command = ''] =
      /\$\((git grep .*)\)/.exec(workflow.jobs['browser']?.steps.at(-1)?.run ?? '') ?? [];
    const listed = (await mustRun('sh', ['-c', command], { cwd: ROOT })).trim().split('\n');
    const files = globSync('test/**/*.test.ts', { cwd: ROOT });
    const started = files.filter((file) =>
      /^import .*Browser|^import .*browserSuite/m.test(readFileSync(join(ROOT, file), 'utf8')),
    );
    expect(started.length).toBeGreaterThan(10);
    expect(started.filter((file) => !listed.includes(file))).toEqual([]);
  });
});
