import { existsSync, readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { extname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type Listening, listen } from '../../infra/local/http-server.ts';
import { entryOf } from '../../shared/core/errors.ts';
import { CONSOLE_API } from '../../shared/http/console/routes.ts';
import type { SessionView } from '../../shared/members/console/views.ts';
import { demoViews } from './views.ts';

/**
 * Serves the built pages, with views from fixtures instead of the responses of the functions. For tests of pages with
 * data that the local service does not contain, such as 200 keys, and with failures that it does not produce.
 */
export interface PagesDouble extends Listening {
  /** What each route returns, by method and path below `/console/api`, such as `GET /home`. Tests replace entries. */
  readonly views: Views;
  /** The requests of the pages, in order, such as `GET /home`. */
  readonly requests: string[];
}

/** Data, or a function that returns it for a body and the query parameters. */
export type Views = Record<string, unknown | ((body: unknown, query: URLSearchParams) => unknown)>;

/** What a view returns instead of data: a rejection with a code from the catalogue. */
export class Rejection {
  readonly code: Parameters<typeof entryOf>[0];
  readonly field: string;
  readonly message: string;
  readonly others: readonly object[];

  constructor(code: Rejection['code'], field = '', message = entryOf(code).message, others: object[] = []) {
    this.others = others;
    this.code = code;
    this.field = field;
    this.message = message;
  }
}

/** The Content-Security-Policy of the service, so that pages that violate it fail here too. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Starts the double for pages that `buildConsole` has written to a directory. */
export async function startPagesDouble(directory: string): Promise<PagesDouble> {
  const views: Views = demoViews();
  const requests: string[] = [];
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    if (!pathname.startsWith(`${CONSOLE_API}/`)) return sendFile(directory, pathname, response);
    const route = `${request.method} ${pathname.slice(CONSOLE_API.length)}`;
    requests.push(route);
    if (route === 'GET /session/start') return returnFrom(searchParams, response);
    const view = views[route] ?? new Rejection('RESOURCE_NOT_FOUND');
    const body = await text(request);
    const data =
      typeof view === 'function' ? await view(body ? JSON.parse(body) : undefined, searchParams) : view;
    sendView(data, pageOf(views['GET /session']), response);
  });
  return { ...(await listen(server)), views, requests };
}

/** Redirects to the page at once, as after a sign-in. */
function returnFrom(query: URLSearchParams, response: ServerResponse): void {
  response.writeHead(302, { Location: query.get('to') ?? '/' }).end();
}

/** Sends a file, or `index.html` for the path of a page. */
function sendFile(directory: string, path: string, response: ServerResponse): void {
  const name = extname(path) ? path : '/index.html';
  const file = join(directory, name);
  if (!existsSync(file)) response.writeHead(404).end();
  else
    response
      .writeHead(200, {
        'Content-Type': TYPES[extname(name)],
        'Content-Encoding': 'gzip',
        'Content-Security-Policy': POLICY,
      })
      .end(readFileSync(`${file}.gz`));
}

/** Returns the header that names the person and the organisation of the session, as the service sends it. */
function pageOf(view: unknown): Record<string, string> {
  const { person, organisation } = (view ?? {}) as Partial<SessionView>;
  return person ? { 'Console-Page': `${organisation?.id ?? '-'}.${person.id}` } : {};
}

function sendView(data: unknown, page: Record<string, string>, response: ServerResponse): void {
  const meta = { request_id: 'req_0123456789ab', timestamp: new Date().toISOString() };
  const isRejected = data instanceof Rejection;
  const envelope = isRejected
    ? {
        success: false,
        code: data.code,
        message: data.message,
        data: null,
        ...(data.field && {
          error: { reason: 'wrong_value', field: data.field, hint: data.message, others: data.others },
        }),
        meta,
      }
    : { success: true, code: 'OK', message: 'OK', data, meta };
  response
    .writeHead(isRejected ? entryOf(data.code).status : 200, { 'Content-Type': 'application/json', ...page })
    .end(JSON.stringify(envelope));
}
