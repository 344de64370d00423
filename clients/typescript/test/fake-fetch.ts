import table from '../../conformance.json' with { type: 'json' };
import { IdentityClient, type IdentityClientOptions } from '../src/index.ts';
import type { Fetch } from '../src/transport.ts';

export const API_KEY = table.api_key;
export const NUMBER = table.number;

export interface SentRequest {
  readonly url: string;
  readonly init: RequestInit;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
}

/** Returns a response of the API with status 200. */
export const success = (json: object): Response => Response.json(json);
export const FOUND = table.responses.found.json;

/** Returns a client that sends nothing: `respond` returns the response to each request. */
export function clientOf(
  respond: (request: SentRequest, attempt: number) => Response | Promise<Response>,
  options: IdentityClientOptions = {},
) {
  const requests: SentRequest[] = [];
  const fetch: Fetch = async (url, init) => {
    const body = typeof init.body === 'string' ? JSON.parse(init.body) : {};
    requests.push({ url, init, headers: new Headers(init.headers), body });
    const request = requests[requests.length - 1] as SentRequest;
    const response = await respond(request, requests.length);
    const key = request.headers.get('Idempotency-Key');
    if (key !== null) response.headers.set('Idempotency-Key', key);
    return response;
  };
  const client = new IdentityClient({
    apiKey: API_KEY,
    baseUrl: 'https://api.example.com',
    fetch,
    ...options,
  });
  return { client, requests };
}
