import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';

/** The rules of the house (docs/architecture.md), held by a test: walls, arrows and line budgets. */

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

interface Source {
  /** From the project's root. */
  readonly path: string;
  readonly text: string;
  readonly lines: number;
  /** Modules that it imports: paths from the root, or package names. */
  readonly imports: readonly { readonly name: string; readonly isType: boolean }[];
}

function read(path: string): Source {
  const text = readFileSync(join(ROOT, path), 'utf8');
  const found = text.matchAll(/^(?:import|export)\s+(type\s)?(?:[^'"]*?from\s+)?['"]([^'"]+)['"]/gm);
  const imports = [...found].map(([, isType, name = '']) => ({
    name: name.startsWith('.') ? relative(ROOT, join(ROOT, dirname(path), name)) : name,
    isType: isType !== undefined,
  }));
  return { path, text, lines: text.split('\n').length - 1, imports };
}

const sources = globSync('{functions,shared,infra,clients/operator}/**/*.ts', { cwd: ROOT }).sort().map(read);
const inside = (folder: string) => sources.filter(({ path }) => path.startsWith(`${folder}/`));

/** Files outside `homes` that import one of these packages. */
function trespassers(pattern: RegExp, homes: readonly RegExp[]): string[] {
  return sources
    .filter(({ path }) => !homes.some((home) => home.test(path)))
    .filter(({ imports }) => imports.some(({ name, isType }) => !isType && pattern.test(name)))
    .map(({ path }) => path);
}

describe('walls', () => {
  test('the DynamoDB SDK is used by table modules, and by those who run or administer the tables', () => {
    const homes = [/-table\.ts$/, /^shared\/core\/database\.ts$/, /^(infra\/local|clients\/operator)\//];
    expect(trespassers(/^@aws-sdk\/(client-dynamodb|lib-dynamodb|util-dynamodb)/, homes)).toEqual([]);
  });

  test('the environment of the service is read by core/config alone', () => {
    const readers = sources
      .filter(({ path }) => !path.startsWith('infra/local/') && !path.startsWith('clients/operator/'))
      .filter(({ text }) => /process\.env/.test(text))
      .map(({ path }) => path);
    // The CDK's own variables, and the credentials that Lambda hands over in the environment.
    expect(readers).toEqual([
      'infra/app.ts',
      'infra/bundle/replaced/lambda-credentials.ts',
      'shared/core/config.ts',
    ]);
  });

  test('pdf-lib is used in slips alone, Middy in http alone, the CDK in infra alone', () => {
    expect(trespassers(/^pdf-lib/, [/^shared\/slips\//])).toEqual([]);
    expect(trespassers(/^@middy\//, [/^shared\/http\//])).toEqual([]);
    expect(trespassers(/^(aws-cdk-lib|constructs)/, [/^infra\//])).toEqual([]);
  });

  test('the service imports nothing of its infrastructure', () => {
    const arrows = [...inside('shared'), ...inside('functions')].flatMap(({ path, imports }) =>
      imports.filter(({ name }) => /^(infra|test)\//.test(name)).map(({ name }) => `${path} -> ${name}`),
    );
    expect(arrows).toEqual([]);
  });
});

/** Rooms of shared/, ground floor first: a room imports from its own floor's left and from floors below. */
const FLOORS = [
  ['core'],
  ['accounts', 'registries'],
  ['ledger'],
  ['verifications', 'events'],
  ['slips'],
  ['http'],
];

describe('arrows', () => {
  test('between the rooms of shared/ they only go down', () => {
    const floorOf = (path: string) => FLOORS.findIndex((rooms) => rooms.includes(path.split('/')[1] ?? ''));
    const wrong = inside('shared').flatMap(({ path, imports }) =>
      imports
        .filter(({ name }) => name.startsWith('shared/'))
        .filter(({ name }) => name.split('/')[1] !== path.split('/')[1] && floorOf(name) >= floorOf(path))
        .map(({ name }) => `${path} -> ${name}`),
    );
    expect(wrong).toEqual([]);
  });

  test('no file reaches itself through its imports', () => {
    const byPath = new Map(sources.map((source) => [source.path, source]));
    const done = new Set<string>();
    const circles: string[] = [];
    const visit = (path: string, trail: readonly string[]) => {
      if (trail.includes(path)) circles.push([...trail.slice(trail.indexOf(path)), path].join(' -> '));
      if (trail.includes(path) || done.has(path)) return;
      for (const { name } of byPath.get(path)?.imports ?? [])
        if (byPath.has(name)) visit(name, [...trail, path]);
      done.add(path);
    };
    for (const { path } of sources) visit(path, []);
    expect(circles).toEqual([]);
  });

  test('there are no barrels and no room for leftovers', () => {
    const names = sources
      .map(({ path }) => path)
      .filter((path) => /(^|\/)(index|utils?|helpers?)(\.ts|\/)/.test(path));
    expect(names).toEqual([]);
  });
});

/** Longest allowed files, by kind. */
const BUDGETS: readonly (readonly [RegExp, number])[] = [
  [/^functions\//, 40],
  [/^shared\/http\/middleware\//, 60],
  [/-table\.ts$/, 150],
  [/^infra\/(constructs|stacks)\//, 100],
];

/** Over their budget, each for a reason. This list only shrinks. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'shared/http/middleware/respond.ts': 'the one way out: its three hooks belong together',
  'shared/http/middleware/wallet.ts': 'the one screen that tells when a customer is charged',
  'infra/constructs/access.ts': 'variables and grants must be read side by side',
  'infra/constructs/access-profiles.ts': 'all rights of all functions on one page',
};

describe('budgets', () => {
  test('files stay within the lines of their kind', () => {
    const long = sources.flatMap(({ path, lines }) => {
      const [, budget] = BUDGETS.find(([kind]) => kind.test(path)) ?? [];
      return budget !== undefined && lines > budget && !(path in EXCEPTIONS) ? [`${path}: ${lines}`] : [];
    });
    expect(long).toEqual([]);
  });

  test('every exception is still needed', () => {
    const idle = Object.keys(EXCEPTIONS).filter((path) => {
      const source = sources.find((one) => one.path === path);
      const [, budget = 0] = BUDGETS.find(([kind]) => kind.test(path)) ?? [];
      return !source || source.lines <= budget;
    });
    expect(idle).toEqual([]);
  });
});

describe('writes', () => {
  test('every put and update in a table module carries a condition', () => {
    const careless = inside('shared')
      .filter(({ path }) => path.endsWith('-table.ts'))
      .filter(({ text }) => {
        const writes =
          text.match(/new (Put|Update)Command\(|(Put|Update): \{|const putRow|const raiseShard/g) ?? [];
        const conditions = text.match(/ConditionExpression/g) ?? [];
        return writes.length > 0 && conditions.length === 0;
      })
      .map(({ path }) => path);
    expect(careless).toEqual([]);
  });

  test('every file of functions/ is a route or a schedule of infra/routes.ts', () => {
    const routes = read('infra/routes.ts').text;
    const strays = inside('functions')
      .map(({ path }) => path.slice('functions/'.length, -'.ts'.length))
      .filter((name) => !routes.includes(`'${name}'`));
    expect(strays).toEqual([]);
  });
});
