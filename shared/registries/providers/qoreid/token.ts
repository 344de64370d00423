import * as v from 'valibot';
import { textField, tokenField } from '../../mapping/fields.ts';
import { failure, outage, type RegistryFailure, transportFailure } from '../../mapping/results.ts';
import { requestJson } from '../../transport/http-client.ts';

type Token =
  | { readonly ok: true; readonly value: string }
  | { readonly ok: false; readonly failure: RegistryFailure };

interface Credentials {
  readonly clientId: string;
  readonly secret: string;
}

const DEFAULT_LIFETIME_S = 7_200;
const tokenBody = v.object({
  accessToken: tokenField,
  expiresIn: v.pipe(textField, v.transform(lifetimeSeconds)),
});
/** Tokens are replaced this long before they expire, so that none expires during a request. */
const EXPIRY_MARGIN_MS = 60_000;

/**
 * Returns the seconds in `expiresIn`: a number, or a number with its unit, such as `7200 seconds`. If a token expires
 * sooner, the provider responds with 401 and the token is replaced.
 */
function lifetimeSeconds(expiresIn: string): number {
  const [, seconds] = /^([0-9]{1,6}) ?(?:s|secs?|seconds?)?$/i.exec(expiresIn) ?? [];
  return seconds === undefined ? DEFAULT_LIFETIME_S : Number(seconds);
}

/** QoreID's bearer tokens. */
export function tokenSource() {
  let current: { readonly key: string; readonly value: string; readonly expiresAtMs: number } | undefined;
  let pending: { readonly key: string; readonly token: Promise<Token> } | undefined;

  const fetchToken = async (
    credentials: Credentials,
    key: string,
    url: URL,
    deadlineMs: number,
  ): Promise<Token> => {
    const response = await requestJson({ method: 'POST', url, body: { ...credentials }, deadlineMs });
    // No look-up has been accepted yet, so nothing can be billed, and another provider may be asked.
    const failed = (reason: RegistryFailure): Token => ({
      ok: false,
      failure: { ...reason, maybeBilled: false },
    });
    if (response.kind !== 'response') return failed(transportFailure(response));
    const parsed = v.safeParse(tokenBody, response.json);
    if (!parsed.success || response.status >= 300)
      return failed(outage(response.status) ?? failure('unreachable', `token-http-${response.status}`));
    const { accessToken, expiresIn } = parsed.output;
    current = { key, value: accessToken, expiresAtMs: Date.now() + expiresIn * 1_000 - EXPIRY_MARGIN_MS };
    return { ok: true, value: accessToken };
  };

  return {
    async get(credentials: Credentials, url: URL, deadlineMs: number): Promise<Token> {
      const key = JSON.stringify([credentials.clientId, credentials.secret, url.href]);
      if (current && current.key === key && Date.now() < current.expiresAtMs)
        return { ok: true, value: current.value };
      if (pending?.key !== key) {
        const token = fetchToken(credentials, key, url, deadlineMs).finally(() => {
          pending = undefined;
        });
        pending = { key, token };
      }
      return pending.token;
    },
    drop(token: string) {
      if (current?.value === token) current = undefined;
    },
  };
}
