import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { DEMO_MEMBERS, personIdOf } from './demo-members.ts';
import { listen, readBody } from './http-server.ts';
import type { IdentityProvider } from './sign-in/identity-provider.ts';
import { LOGOUT_PATH, SIGN_IN_PATH } from './sign-in/paths.ts';
import { type SignInPage, signInErrorPage, signInHeaders, signInPage } from './sign-in/sign-in-page.ts';
import { type UserPool, userPoolsOf } from './sign-in/user-pools.ts';
import type { CloudAssembly } from './templates/cloud-assembly.ts';
import { Deployment } from './templates/template.ts';

/** Replaces Cognito. Only the first sign-in of a new person needs a password, the temporary one. */

interface SignIn {
  /** By `<logical id>.ProviderURL`. */
  readonly attributes: ReadonlyMap<string, string>;
  readonly pools: readonly UserPool[];
}

const MAX_BODY_BYTES = 16 * 1024;

/** `consoleUrl` is the origin of the clients. */
export async function openSignIn(
  { stacks }: CloudAssembly,
  consoleUrl: string,
  cleanup: AsyncDisposableStack,
): Promise<SignIn> {
  const pools = userPoolsOf(new Deployment(stacks), consoleUrl);
  const attributes = new Map<string, string>();
  for (const pool of pools) {
    const { url, close } = await startSignIn(pool);
    cleanup.defer(close);
    attributes.set(`${pool.logicalId}.ProviderURL`, url);
  }
  return { attributes, pools };
}

/** `localhost` differs from the console's host, so that browsers treat them as different sites, as on AWS. */
export async function startSignIn(pool: UserPool): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    double.respond(request, response).catch(() => response.destroy());
  });
  const { url, close } = await listen(server);
  const issuer = `http://localhost:${new URL(url).port}`;
  const double = new SignInDouble(issuer, pool);
  return { url: issuer, close };
}

class SignInDouble {
  readonly #issuer: string;
  readonly #pool: UserPool;
  /** Forms redirect there. */
  readonly #origins: readonly string[];
  #provider: Promise<IdentityProvider> | undefined;

  constructor(issuer: string, pool: UserPool) {
    this.#issuer = issuer;
    this.#pool = pool;
    const urls = pool.clients.flatMap(({ callbackUrls }) => callbackUrls);
    this.#origins = [...new Set(urls.map((url) => new URL(url).origin))];
  }

  async respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', this.#issuer);
    // Loading takes a few tenths of a second, and most runs need no sign-in.
    this.#provider ??= this.#load();
    const provider = await this.#provider;
    if (pathname.startsWith(SIGN_IN_PATH)) await this.#signIn(provider, request, response);
    else if (pathname === LOGOUT_PATH) await this.#signOut(provider, searchParams, request, response);
    else provider.listener(request, response);
  }

  async #load(): Promise<IdentityProvider> {
    const { createIdentityProvider } = await import('./sign-in/identity-provider.ts');
    return createIdentityProvider(this.#issuer, this.#pool);
  }

  async #signIn(
    { provider }: IdentityProvider,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    let isAgain = false;
    try {
      const { params } = await provider.interactionDetails(request, response);
      isAgain = params['prompt'] === 'login';
    } catch {
      return this.#fail(
        response,
        'This sign-in has expired, or was started in another browser. Start it again.',
      );
    }
    if (request.method !== 'POST') return this.#show(response, { members: DEMO_MEMBERS, isAgain });
    const form = new URLSearchParams(String((await readBody(request, MAX_BODY_BYTES)) ?? ''));
    const email = (form.get('email') ?? '').trim().toLowerCase();
    const person = this.#pool.people.get(personIdOf(email));
    if (!person || ![undefined, form.get('password')].includes(person.temporaryPassword)) {
      const problem = 'Incorrect username or password.';
      return this.#show(response, { members: DEMO_MEMBERS, email, problem, isAgain });
    }
    const { temporaryPassword, ...known } = person;
    const name = (form.get('name') ?? '').trim() || person.name;
    // Cognito issues tokens at the first sign-in, and asks for a second factor at the next.
    const isProtected = temporaryPassword === undefined;
    this.#pool.people.set(person.id, { ...known, name, isProtected });
    const result = { login: { accountId: person.id } };
    await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
  }

  /**
   * Cognito's parameter is `logout_uri` (developer guide, "/logout"), OpenID Connect's `post_logout_redirect_uri`.
   */
  async #signOut(
    { provider }: IdentityProvider,
    parameters: URLSearchParams,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const client = this.#pool.clients.find(({ id }) => id === parameters.get('client_id'));
    const wanted = parameters.get('logout_uri') ?? parameters.get('post_logout_redirect_uri');
    const address = client?.logoutUrls.find((url) => url === wanted);
    if (!address)
      return this.#fail(
        response,
        'The sign-out needs client_id, and logout_uri with one of the LogoutURLs of the client.',
      );
    const session = await provider.Session.get(provider.createContext(request, response));
    await session.destroy();
    response.writeHead(302, { Location: address, 'Cache-Control': 'no-store' }).end();
  }

  #show(response: ServerResponse, page: SignInPage): void {
    response.writeHead(page.problem ? 400 : 200, signInHeaders(this.#origins)).end(signInPage(page));
  }

  #fail(response: ServerResponse, message: string): void {
    response.writeHead(400, signInHeaders([])).end(signInErrorPage(message));
  }
}
