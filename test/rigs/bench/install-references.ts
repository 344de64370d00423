import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';

const HERE = import.meta.dirname;

/** Installs the packages that only the bench needs, unless they are installed as the lock file says. */
export function installReferences(): void {
  const changedMs = (file: string) => statSync(join(HERE, file), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (changedMs('node_modules/.package-lock.json') > changedMs('package-lock.json')) return;
  process.stderr.write('Installing what the bench compares with: npm ci --prefix test/rigs/bench\n');
  execFileSync('npm', ['ci', '--prefix', HERE], { stdio: ['ignore', 'ignore', 'inherit'] });
}
