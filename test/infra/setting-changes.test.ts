import { describe, expect, test } from '@jest/globals';
import type { StageConfig } from '../../infra/config.ts';
import { settingPaths } from '../../infra/stages/check-config.ts';
import { prod } from '../../infra/stages/prod.ts';
import { LIVE_PROVIDER_NAMES } from '../../shared/registries/providers/catalogue.ts';
import { isComplete, randomCases } from '../support/sample.ts';
import { combine } from './combined-changes.ts';
import { deploymentFaults, type StackTemplate } from './deployment-faults.ts';
import { CHANGES, type Change, OTHER_STACKS } from './setting-changes.ts';
import { synthesizeStacks } from './synthesis.ts';

/**
 * Settings of a running stage can be changed with one deployment (docs/operate/deploy.md, lists the exceptions).
 * Changes that lose nothing are combined, unless the environment variable `EACH_SETTING` is set, which takes longer.
 */

const SAMPLE = 2;

/** Returns the stacks of prod with these settings. */
function stacksOf(changes: Partial<StageConfig>, more: Change['context'] = {}): readonly StackTemplate[] {
  return synthesizeStacks('prod', { changes, more });
}

function faultsOf({ from, to, context }: Change): string[] {
  const faults = deploymentFaults(stacksOf(from), stacksOf(to, context));
  return faults.map(({ kind, at }) => `${kind}: ${at.split(' ')[0]}`).sort();
}

/** Returns the value of a setting, for example `operations.domain.name`. */
function valueAt(changes: Partial<StageConfig>, path: string): unknown {
  const inside = (value: unknown, name: string) =>
    typeof value === 'object' && value !== null
      ? Object.entries(value).find(([key]) => key === name)?.[1]
      : undefined;
  return path.split('.').reduce(inside, { ...prod, ...changes } as unknown);
}

test('every setting has changes that are checked, or a reason why it has none', () => {
  expect([...Object.keys(CHANGES), ...Object.keys(OTHER_STACKS)].sort()).toEqual(settingPaths().sort());
});

describe.each(Object.entries(CHANGES))('%s', (path, changes) => {
  test('differs before and after each of its changes', () => {
    const same = changes.filter(({ from, to }) => {
      return JSON.stringify(valueAt(from, path)) === JSON.stringify(valueAt(to, path));
    });
    expect(changes.length).toBeGreaterThan(1);
    expect(same).toEqual([]);
  });
});

const isLossless = ({ meant = [], context }: Change) => meant.length === 0 && !context;
const all = Object.entries(CHANGES).flatMap(([path, changes]) =>
  changes.map((change) => ({ paths: [path], ...change })),
);
const alone = process.env['EACH_SETTING'] ? all : all.filter((change) => !isLossless(change));
const combined = process.env['EACH_SETTING'] ? [] : combine(CHANGES);

test('every change is checked, alone or with others', () => {
  const checked = [...alone, ...combined].flatMap(({ paths }) => paths);
  expect(checked.sort()).toEqual(all.flatMap(({ paths }) => paths).sort());
});

const checks = [...combined, ...alone];

test.each(isComplete ? checks : randomCases(checks, SAMPLE))(
  '$paths can be changed with one deployment, which loses only what the change is meant to remove',
  (change) => {
    expect(faultsOf(change)).toEqual([...(change.meant ?? [])].sort());
  },
);

test('a deployment with deployNow, and the next one without it, keep every alias', () => {
  const deployNow = { deployNow: 'true' };
  expect(deploymentFaults(stacksOf({}), stacksOf({}, deployNow))).toEqual([]);
  expect(deploymentFaults(stacksOf({}, deployNow), stacksOf({}))).toEqual([]);
});

test('a dropped export that the stack of functions imports fails the check', () => {
  const withAll = CHANGES['registries']?.[0]?.to ?? {};
  const before = stacksOf(withAll);
  const imported = JSON.stringify(before.find(({ name }) => name === 'identity-prod-api-functions'));
  const exported = Object.values(before[0]?.template.Outputs ?? {}).flatMap(({ Export }) => Export ?? []);
  const inUse = exported.filter(({ Name }) => imported.includes(String(Name)));
  expect(inUse.length).toBeGreaterThan(LIVE_PROVIDER_NAMES.length);
  for (const { Name } of inUse) {
    const after = before.map(({ name, template }, index) => {
      if (index > 0) return { name, template };
      const outputs = Object.entries(template.Outputs ?? {});
      const Outputs = Object.fromEntries(outputs.filter(([, output]) => output.Export?.Name !== Name));
      return { name, template: { ...template, Outputs } };
    });
    expect(deploymentFaults(before, after)).toContainEqual({
      kind: 'export in use',
      stack: 'identity-prod-data',
      at: Name,
    });
  }
});
