import { mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { buildConsole } from '../../clients/console/build.ts';
import { onceInRun } from '../support/once-in-run.ts';
import { demoViews } from './views.ts';

/** How much the pages of the console load, compressed with gzip (docs/operate/console.md, "Budgets"). */

const KB = 1024;
const directory = await onceInRun('console', buildConsole);

const assets = readdirSync(join(directory, 'assets'));
const sizeOf = (path: string) => statSync(join(directory, `${path}.gz`)).size;
const total = (paths: Iterable<string>) => [...paths].reduce((sum, path) => sum + sizeOf(path), 0);

/** Returns a script and all that it imports before it runs. */
function scriptsOf(path: string, found = new Set<string>()): Set<string> {
  if (found.has(path)) return found;
  found.add(path);
  const code = readFileSync(join(directory, path), 'utf8');
  for (const [, name] of code.matchAll(/(?:from|import)"\.\/([\w.-]+\.js)"/g))
    scriptsOf(`assets/${name}`, found);
  return found;
}

const startPage = readFileSync(join(directory, 'index.html'), 'utf8');
const pathsIn = (html: string) =>
  [...html.matchAll(/(?:href|src)="\/([^"]+)"/g)].map(([, path = '']) => path);
const linked = pathsIn(startPage);
/** The styles of individual pages, which browsers load with the page. */
const pageStyles = startPage.match(/<link id="styles-[^>]*>/g)?.join('\n') ?? '';
const withStyles = new Set(pathsIn(pageStyles));
const start = new Set([
  'index.html',
  ...linked
    .filter((path) => !withStyles.has(path))
    .flatMap((path) => [...(path.endsWith('.js') ? scriptsOf(path) : [path])]),
]);
const pages = assets.filter((name) => /^(?!main|chunk)[\w-]+-[A-Z0-9]{8}\.js$/.test(name));
const dataSize = (...routes: string[]) =>
  routes.reduce((sum, route) => sum + gzipSync(JSON.stringify(demoViews()[route])).length, 0);

/** Returns what a page loads that the start page has not loaded. */
function further(name: string): Set<string> {
  const page = name.slice(0, name.lastIndexOf('-'));
  const styles = [...withStyles].filter((path) => path.startsWith(`assets/${page}-`));
  return scriptsOf(`assets/${name}`).difference(start).union(new Set(styles));
}

describe('sizes', () => {
  test('the first page, with its data, is at most 29 KB', () => {
    const home = pages.find((name) => name.startsWith('home-')) ?? '';
    const size = total(start.union(further(home))) + dataSize('GET /session', 'GET /home');
    expect(size).toBeLessThanOrEqual(29 * KB);
  });

  test.each(pages)('%s adds at most 8 KB', (name) => {
    expect(total(further(name))).toBeLessThanOrEqual(8 * KB);
  });

  test('all files together are at most 110 KB', () => {
    const compressed = assets.filter((name) => name.endsWith('.gz'));
    expect(compressed.length).toBeGreaterThan(pages.length);
    expect(
      total(['index.html', ...compressed.map((name) => `assets/${name.slice(0, -3)}`)]),
    ).toBeLessThanOrEqual(110 * KB);
  });
});

describe('the built site', () => {
  test('has no inline script or style, which the policy forbids', () => {
    expect(startPage).not.toMatch(/<style|style=|<script(?![^>]*\bsrc=)|\bon\w+=/);
  });

  test('contains no code that the policy forbids', () => {
    const scripts = assets.filter((name) => name.endsWith('.js'));
    for (const name of scripts) {
      const code = readFileSync(join(directory, 'assets', name), 'utf8');
      expect(code).not.toMatch(
        /\beval\(|new Function\(|document\.write|insertAdjacentHTML|dangerouslySetInnerHTML=/,
      );
    }
  });

  test('limits the styles of each page to that page, because they stay loaded', () => {
    expect(withStyles.size).toBeGreaterThan(5);
    for (const path of withStyles) {
      const page = /assets\/([\w-]+)-[A-Z0-9]{8}\.css$/.exec(path)?.[1] ?? '';
      const css = readFileSync(join(directory, path), 'utf8').replaceAll(/@media[^{]*\{/g, '');
      const selectors = [...css.matchAll(/([^{}]+)\{/g)].flatMap(([, list = '']) =>
        list.split(/,(?![^(]*\))/),
      );
      expect(selectors.filter((one) => !one.trim().startsWith(`.shell.${page} `))).toEqual([]);
    }
  });

  test('links only to files that exist', () => {
    expect(linked.length).toBeGreaterThan(2);
    for (const path of linked) expect(statSync(join(directory, path)).isFile()).toBe(true);
  });

  test('uses the same file names for the same sources, so that browsers keep their copies', async () => {
    const again = mkdtempSync(join(tmpdir(), 'console-'));
    await buildConsole(again);
    expect(readdirSync(join(again, 'assets'))).toEqual(assets);
  });
});
