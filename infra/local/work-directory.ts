import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';

/**
 * Claims a directory for the files of the service at `url`, and creates it: `directory`, or its subdirectory `2`, `3`
 * and so on while other services use the earlier ones.
 */
export async function claimWorkDirectory(
  directory: string,
  url: string,
  cleanup: AsyncDisposableStack,
): Promise<string> {
  for (let number = 1; ; number += 1) {
    const claimed = number === 1 ? directory : join(directory, String(number));
    mkdirSync(claimed, { recursive: true });
    const claim = join(claimed, 'address');
    if (await isUsed(claim)) continue;
    rmSync(claim, { force: true });
    writeFileSync(claim, url);
    cleanup.defer(() => rmSync(claim, { force: true }));
    return claimed;
  }
}

/** Whether the service that made this claim still runs. A killed one could not delete its claim. */
async function isUsed(claim: string): Promise<boolean> {
  const url = readIfExists(claim);
  if (!URL.canParse(url)) return false;
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  const isOpen = await new Promise<boolean>((done) => {
    socket.once('connect', () => done(true)).once('error', () => done(false));
  });
  socket.destroy();
  return isOpen;
}

function readIfExists(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
