import * as v from 'valibot';
import { failure, noResponse, outage, type RegistryFailure } from '../../mapping/results.ts';
import { requestJson } from '../../transport/http-client.ts';

/** QoreID's bearer tokens: one for all look-ups of an instance, and one request for it however many wait. */
type Token =
  | { readonly ok: true; readonly value: string }
  | { readonly ok: false; readonly failure: RegistryFailure };

interface Credentials {
  readonly clientId: string;
  readonly secret: string;
}

export interface TokenSource {
  /** A valid token, fetched if need be, or why there is none. */
  get(credentials: Credentials, url: URL, deadlineMs: number): Promise<Token>;
  /** Forgets a token that the provider refused. */
  drop(token: string): void;
}

const tokenAnswer = v.object({
  accessToken: v.pipe(v.string(), v.regex(/^[\x21-\x7e]+$/)),
  expiresIn: v.optional(v.number(), 7200),
});
/** Fetched anew this long before it ends, so that none ends on its way. */
const MARGIN_MS = 60_000;

export function tokenSource(): TokenSource {
  let held: { readonly key: string; readonly value: string; readonly untilMs: number } | undefined;
  let pending: { readonly key: string; readonly token: Promise<Token> } | undefined;

  const fetchToken = async (
    credentials: Credentials,
    key: string,
    url: URL,
    deadlineMs: number,
  ): Promise<Token> => {
    const answer = await requestJson({ method: 'POST', url, body: { ...credentials }, deadlineMs });
    // No look-up was made yet: whatever went wrong, nothing can be billed and another provider may be asked.
    if (answer.kind !== 'response')
      return { ok: false, failure: { ...noResponse(answer), maybeBilled: false } };
    const parsed = v.safeParse(tokenAnswer, answer.json);
    if (!parsed.success || answer.status >= 300) {
      const found = outage(answer.status) ?? failure('unreachable', `token-http-${answer.status}`);
      return { ok: false, failure: { ...found, maybeBilled: false } };
    }
    const { accessToken, expiresIn } = parsed.output;
    held = { key, value: accessToken, untilMs: Date.now() + expiresIn * 1_000 - MARGIN_MS };
    return { ok: true, value: accessToken };
  };

  return {
    async get(credentials, url, deadlineMs) {
      const key = JSON.stringify([credentials.clientId, credentials.secret, url.href]);
      if (held && held.key === key && Date.now() < held.untilMs) return { ok: true, value: held.value };
      if (pending?.key !== key) {
        const token = fetchToken(credentials, key, url, deadlineMs).finally(() => {
          pending = undefined;
        });
        pending = { key, token };
      }
      return pending.token;
    },
    drop(token) {
      if (held?.value === token) held = undefined;
    },
  };
}
