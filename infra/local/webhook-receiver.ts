import type { IncomingMessage, ServerResponse } from 'node:http';
import { escapeHtml } from '../../shared/core/html.ts';
import type { RestHandler } from './gateway/rest-api.ts';
import { readBody } from './http-server.ts';
import { plainPage, plainPageHeaders } from './plain-page.ts';

/**
 * A webhook receiver at `/demo/webhooks`, next to the API: the endpoint of the demo organisation. It verifies the
 * signature of each request as a customer does. Its page shows the last events and can make the receiver fail.
 */

export const RECEIVER_PATH = '/demo/webhooks';
const SWITCH_PATH = `${RECEIVER_PATH}/switch`;

/**
 * The TypeScript client's `verifyWebhook`. The service does not import the clients, so the receiver loads it as a
 * customer's program would.
 */
type VerifyWebhook = (
  body: string,
  headers: Readonly<Record<string, string>>,
  secrets: readonly string[],
) => Promise<{ readonly id: string; readonly type: string }>;
const CLIENT = new URL('../../clients/typescript/src/index.ts', import.meta.url).href;

const MAX_BODY_BYTES = 64 * 1024;
const MOST_EVENTS = 20;

interface Received {
  readonly at: string;
  readonly status: number;
  /** The event, or the reason why it was not accepted. */
  readonly text: string;
}

export interface WebhookReceiver {
  /** Returns a handler that serves the receiver and passes on all other requests. */
  before(next: RestHandler): RestHandler;
  /** Accepts requests that are signed with one of these secrets. Until this is called, no request is accepted. */
  useSecrets(secrets: () => Promise<readonly string[]>): void;
}

export function webhookReceiver(): WebhookReceiver {
  let secretsNow: () => Promise<readonly string[]> = async () => [];
  const events: Received[] = [];
  let isFailing = false;

  async function receive(request: IncomingMessage): Promise<Received> {
    const at = new Date().toISOString();
    const body = String((await readBody(request, MAX_BODY_BYTES)) ?? '');
    if (isFailing) return { at, status: 500, text: 'The receiver is set to fail.' };
    try {
      const { verifyWebhook } = (await import(CLIENT)) as { readonly verifyWebhook: VerifyWebhook };
      const { type, id } = await verifyWebhook(body, headersOf(request), await secretsNow());
      return { at, status: 200, text: `${type} ${id}: ${body}` };
    } catch (error) {
      return { at, status: 400, text: error instanceof Error ? error.message : String(error) };
    }
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, url } = request;
    if (method !== 'POST') return sendPage(response, events, isFailing);
    if (url === SWITCH_PATH) {
      isFailing = !isFailing;
      response.writeHead(303, { Location: RECEIVER_PATH }).end();
      return;
    }
    const received = await receive(request);
    events.unshift(received);
    events.length = Math.min(events.length, MOST_EVENTS);
    response.writeHead(received.status).end();
  }

  return {
    before: (next) => async (request, response) =>
      [RECEIVER_PATH, SWITCH_PATH].includes(request.url ?? '')
        ? serve(request, response)
        : next(request, response),
    useSecrets: (secrets) => {
      secretsNow = secrets;
    },
  };
}

function headersOf({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}

const STYLE = `
body{margin:0 auto;max-width:48rem;padding:1rem;font:16px/1.5 system-ui,sans-serif}
button{min-height:2.75rem;padding:.5rem 1rem;font:inherit}
li{margin-top:.75rem;overflow-wrap:anywhere}
`;

function sendPage(response: ServerResponse, events: readonly Received[], isFailing: boolean): void {
  const items = events.map(
    ({ at, status, text }) =>
      `<li><strong>${status}</strong> ${escapeHtml(at)}<br><code>${escapeHtml(text)}</code></li>`,
  );
  const page = plainPage(
    'Webhook receiver',
    STYLE,
    `<h1>Webhook receiver</h1>
<p>The demo organisation's endpoint in the test environment. ${isFailing ? 'It responds with 500 to every event.' : 'It accepts events that are signed correctly.'}</p>
<form method="post" action="${SWITCH_PATH}"><button>${isFailing ? 'Accept events again' : 'Fail from now on'}</button></form>
<h2>Last events</h2>
${items.length > 0 ? `<ul>${items.join('\n')}</ul>` : '<p>No event has arrived yet. Send a test in the console.</p>'}`,
  );
  response.writeHead(200, plainPageHeaders(STYLE)).end(page);
}
