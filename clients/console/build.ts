import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { minify } from '@swc/core';
import { type BuildOptions, build, type Metafile, type Plugin, transform } from 'esbuild';

const START = 'src/main.tsx';
const FIRST_PAGE = join(import.meta.dirname, 'src/first-page.ts');

/**
 * Adds the list of modules to each file that is loaded later. With the option `inject`, every module would import the
 * list, itself included: its constants could be undefined when another module of the list computes with them.
 */
function firstPage(): Plugin {
  return {
    name: 'first-page',
    setup(adding) {
      adding.onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) =>
        kind === 'dynamic-import' ? { path: join(resolveDir, path), pluginData: 'later' } : undefined,
      );
      adding.onLoad({ filter: /\.tsx$/ }, ({ path, pluginData }) => {
        if (pluginData !== 'later') return undefined;
        const contents = `import ${JSON.stringify(FIRST_PAGE)};${readFileSync(path, 'utf8')}`;
        return { contents, loader: 'tsx' };
      });
    },
  };
}

const OPTIONS = {
  absWorkingDir: import.meta.dirname,
  entryPoints: [START, 'src/styles.css', 'src/icon.svg'],
  outdir: '.',
  plugins: [firstPage()],
  // Otherwise, esbuild drops the imports of first-page.ts, because no page uses them by name.
  ignoreAnnotations: true,
  // `buildConsole` writes the files. The names of the outputs are relative to the site's directory.
  write: false,
  entryNames: 'assets/[name]-[hash]',
  chunkNames: 'assets/[name]-[hash]',
  loader: { '.svg': 'copy' },
  bundle: true,
  // Each page is a separate file, which is loaded when the page is opened.
  splitting: true,
  format: 'esm',
  target: 'es2022',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  charset: 'utf8',
  minify: true,
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
} as const satisfies BuildOptions;

/**
 * Builds the pages of the account console into a directory, whose contents are deleted first: `index.html`, and the
 * files in `assets`, whose names change with their content. Next to each file are its compressed forms, `.gz` and
 * `.br`.
 */
export async function buildConsole(outDirectory: string): Promise<void> {
  const { metafile, outputFiles } = await build(OPTIONS);
  rmSync(outDirectory, { recursive: true, force: true });
  mkdirSync(join(outDirectory, 'assets'), { recursive: true });
  const unused = stylesOfStart(metafile);
  const pages = new Map(stylesOfPages(metafile.outputs).map(({ page, path }) => [basename(path), page]));
  for (const { path, contents, text } of outputFiles.filter(
    ({ path: output }) => basename(output) !== unused,
  )) {
    const page = pages.get(basename(path));
    const written = path.endsWith('.js')
      ? await smallestScript(text)
      : page !== undefined && (await stylesWithin(page, text));
    writeFiles(join(outDirectory, 'assets', basename(path)), written ? Buffer.from(written) : contents);
  }
  writeFiles(join(outDirectory, 'index.html'), Buffer.from(startPage(metafile)));
}

/** Minifies the module with swc, whose compressed output is about 7% smaller than esbuild's. */
async function smallestScript(code: string): Promise<string> {
  const options = { module: true, compress: { ecma: 2022, passes: 3 }, mangle: { toplevel: true } } as const;
  return (await minify(code, options)).code;
}

/** Writes a file and its compressed forms, so that the server need not compress anything. */
function writeFiles(path: string, contents: Uint8Array): void {
  writeFileSync(path, contents);
  // The smaller blocks of this memory level compress scripts better.
  writeFileSync(`${path}.gz`, gzipSync(contents, { level: 9, memLevel: 6 }));
  writeFileSync(`${path}.br`, brotliCompressSync(contents));
}

/** Returns the HTML page for all addresses, with tags for the built files. It contains no inline scripts or styles. */
function startPage({ outputs }: Metafile): string {
  const built = Object.entries(outputs);
  const addressOf = (source: string) => {
    const [path] =
      built.find(([output, { inputs, entryPoint }]) =>
        entryPoint ? entryPoint === source : source in inputs && extname(output) === extname(source),
      ) ?? [];
    if (!path) throw new Error(`esbuild wrote no file for ${source}.`);
    return `/${path}`;
  };
  const main = addressOf(START);
  const preloaded = (outputs[main.slice(1)]?.imports ?? []).filter(({ kind }) => kind === 'import-statement');
  const tags = [
    `<link rel="icon" href="${addressOf('src/icon.svg')}" type="image/svg+xml">`,
    `<link rel="stylesheet" href="${addressOf('src/styles.css')}">`,
    ...stylesOfPages(outputs).map(
      ({ page, path }) => `<link id="styles-${page}" rel="page-styles" href="/${path}">`,
    ),
    ...preloaded.map(({ path }) => `<link rel="modulepreload" href="/${path}">`),
    `<script type="module" src="${main}"></script>`,
  ];
  const template = readFileSync(join(import.meta.dirname, 'src/index.html'), 'utf8');
  return template.replace('<!-- built files -->', tags.join('\n    '));
}

/** Returns the name of the file into which esbuild also writes the styles of all pages. No page loads it. */
function stylesOfStart({ outputs }: Metafile): string {
  const start = Object.values(outputs).find(({ entryPoint }) => entryPoint === START);
  return basename(start?.cssBundle ?? '');
}

/**
 * Limits the styles of a page to that page, because they stay loaded when another page is opened. The class of the
 * shell is the name of the page.
 */
async function stylesWithin(page: string, css: string): Promise<string> {
  // Nesting is expanded for browsers that do not support it.
  const options = { loader: 'css', minify: true, target: 'safari15' } as const;
  return (await transform(`.shell.${page}{${css}}`, options)).code;
}

/** Returns the style sheet of each page that imports styles. `loadStyles` loads it with the page. */
function stylesOfPages(outputs: Metafile['outputs']) {
  return Object.values(outputs).flatMap(({ entryPoint = '', cssBundle }) =>
    cssBundle !== undefined && entryPoint !== START
      ? [{ page: basename(entryPoint, '.tsx'), path: cssBundle }]
      : [],
  );
}
