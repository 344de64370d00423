import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sirv from 'sirv';
import type { RestHandler } from './gateway/rest-api.ts';

/** Serves the documentation site at `/docs`, next to the API. The first visit builds it. */

const BASE = '/docs/';
const BUILD_PROGRAM = fileURLToPath(new URL('../site/build-site.ts', import.meta.url));
/** The site loads nothing from elsewhere. VitePress writes small scripts and styles into its pages. */
const POLICY = "default-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'";

type SiteHandler = ReturnType<typeof sirv>;

interface Documentation {
  /** Returns a handler that serves the site and passes on all other requests. */
  before(next: RestHandler): RestHandler;
  /** Stops a build in progress. */
  stop(): void;
}

/** Returns the documentation. `program` builds the site in the service's work directory. */
export function documentation(workDirectory: string, program = BUILD_PROGRAM): Documentation {
  const outDirectory = join(workDirectory, 'site');
  let building: ChildProcess | undefined;
  let site: Promise<SiteHandler> | undefined;

  async function build(): Promise<SiteHandler> {
    building = spawn(process.execPath, [program, '--out', outDirectory], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    await ended(building);
    return sirv(outDirectory, { gzip: true, etag: true, setHeaders });
  }

  async function serve(incoming: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    site ??= build();
    try {
      const handle = await site;
      incoming.url = `/${path}`;
      handle(incoming, response, () => sendNotFound(response, outDirectory));
    } catch (error) {
      // The next visit tries again.
      site = undefined;
      const reason = error instanceof Error ? error.message : String(error);
      send(
        response,
        500,
        'text/plain',
        `The documentation could not be built. Reload the page to try again.\n\n${reason}`,
      );
    }
  }

  return {
    before: (next) => async (incoming, response) => {
      const { method = 'GET', url = '/' } = incoming;
      const pathname = url.split('?')[0] ?? url;
      if (method !== 'GET' && method !== 'HEAD') return next(incoming, response);
      if (`${pathname}/` === BASE) return redirect(response);
      return pathname.startsWith(BASE)
        ? serve(incoming, response, pathname.slice(BASE.length))
        : next(incoming, response);
    },
    stop: () => void building?.kill(),
  };
}

/** Resolves when the program succeeds. Otherwise, rejects with the end of its output. */
function ended(program: ChildProcess): Promise<void> {
  const printed: Buffer[] = [];
  for (const stream of [program.stdout, program.stderr]) stream?.on('data', (data) => printed.push(data));
  return new Promise((resolve, reject) => {
    program.on('error', reject);
    program.on('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error(Buffer.concat(printed).toString().slice(-4_000)));
    });
  });
}

function setHeaders(response: ServerResponse, path: string): void {
  // The names of these files contain a hash of their content.
  const cache = path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache';
  response.setHeader('Cache-Control', cache);
  response.setHeader('Content-Security-Policy', POLICY);
  response.setHeader('X-Content-Type-Options', 'nosniff');
}

function redirect(response: ServerResponse): void {
  response.writeHead(302, { Location: BASE, 'Content-Length': 0 }).end();
}

function sendNotFound(response: ServerResponse, outDirectory: string): void {
  send(response, 404, 'text/html', readFileSync(join(outDirectory, '404.html')));
}

function send(response: ServerResponse, status: number, type: string, body: string | Buffer): void {
  response.writeHead(status, {
    'Content-Type': `${type}; charset=utf-8`,
    'Content-Length': Buffer.byteLength(body),
    'X-Content-Type-Options': 'nosniff',
  });
  response.end(body);
}
