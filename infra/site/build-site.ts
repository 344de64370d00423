import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Command } from 'commander';
import { build } from 'vitepress';
import { llmsText } from './llms.ts';
import { ROOT } from './pages.ts';
import { redirectPage, redirects } from './redirects.ts';
import { stagePages, writeTo } from './stage-pages.ts';

/** `npm run site`: static files for any web server. */

/** Deletes the directory's contents. `base` has a slash at both ends. Throws if a page has a broken link. */
async function buildSite(outDirectory: string, base: string): Promise<void> {
  // Inside the project, so that pages can import its packages.
  const parent = join(ROOT, '.local');
  mkdirSync(parent, { recursive: true });
  const staged = mkdtempSync(join(parent, 'site-'));
  try {
    const pages = stagePages(staged);
    linkConfiguration(join(staged, '.vitepress'));
    const outDir = resolve(outDirectory);
    await build(staged, { base, outDir, emptyOutDir: true });
    for (const [path, text] of pages) writeFileSync(join(outDir, `${path}.md`), text);
    writeFileSync(join(outDir, 'llms.txt'), llmsText(base));
    for (const redirect of redirects())
      if (!pages.has(redirect.from)) writeTo(outDir, `${redirect.from}.html`, redirectPage(base, redirect));
    compress(outDir);
  } finally {
    rmSync(staged, { recursive: true, force: true });
  }
}

/** VitePress reads both in the directory of the pages. */
function linkConfiguration(directory: string): void {
  const from = (file: string) => JSON.stringify(join(import.meta.dirname, file));
  mkdirSync(join(directory, 'theme'), { recursive: true });
  writeFileSync(
    join(directory, 'config.js'),
    `import { siteConfig } from ${from('config.ts')};\nexport default siteConfig();\n`,
  );
  writeFileSync(
    join(directory, 'theme/index.js'),
    // The later styles win.
    `export { default } from 'vitepress/theme-without-fonts';\nimport ${from('site.css')};\n`,
  );
}

const COMPRESSED = /\.(html|js|css|json|svg|txt|md)$/;

/** So that a server need not compress anything. */
function compress(directory: string): void {
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !COMPRESSED.test(entry.name)) continue;
    const file = join(entry.parentPath, entry.name);
    writeFileSync(`${file}.gz`, gzipSync(readFileSync(file), { level: 9 }));
  }
}

if (import.meta.main) {
  const command = new Command('npm run site --')
    .description('Build the documentation site, as static files.')
    .option('--out <directory>', 'directory of the site; its contents are deleted', 'cdk.out/site')
    .option('--base <path>', 'path of the site on its host, with a slash at both ends', '/docs/')
    .parse();
  const { out, base } = command.opts<{ out: string; base: string }>();
  await buildSite(out, base);
}
