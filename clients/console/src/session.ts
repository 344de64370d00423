import { computed, signal } from '@preact/signals';
import type { Environment } from '../../../shared/core/environment.ts';
import type { Role } from '../../../shared/core/member-role.ts';
import type { SwitchBody } from '../../../shared/members/console/bodies.ts';
import type { EndSessionView, SessionView } from '../../../shared/members/console/views.ts';
import { consoleNowMs, get, getQuietly, type Problem, send } from './api.ts';
import { forgetInput } from './form.ts';
import { PERMITTED, type PermittedRoute } from './permissions.ts';

export const session = signal<SessionView | undefined>(undefined);

export const sessionProblem = signal<Problem | undefined>(undefined);

const STAGE_NAMES = { local: 'Local', dev: 'Dev', staging: 'Staging', prod: undefined } as const;

/** The name of the stage, so that nobody takes it for production, which has none. */
export const stageName = computed(() => STAGE_NAMES[session.value?.stage ?? 'prod']);

export const role = computed<Role | undefined>(() => session.value?.organisation?.role);

export async function loadSession(): Promise<void> {
  const result = await get<SessionView>('/session');
  if (result.ok) session.value = result.data;
  sessionProblem.value = result.ok ? undefined : result.problem;
}

export async function loadSessionIfAny(): Promise<void> {
  const result = await getQuietly<SessionView>('/session');
  if (result.ok) session.value = result.data;
}

export function may(route: PermittedRoute): boolean {
  return role.value !== undefined && PERMITTED[route].includes(role.value);
}

/** Whether the person may change keys, webhooks and slips of an environment. Developers change those for tests only. */
export function mayManage(environment: Environment): boolean {
  return may('create-key') && (environment === 'test' || role.value !== 'developer');
}

/**
 * Returns the address of a page in `documentation.ts`. Until the session is known, it is undefined, so that the element
 * is not a link yet. The cast is needed because the types of JSX do not permit an undefined address.
 */
export function documentationUrl(page: string): string {
  const address = session.value?.documentation_url;
  return (address && `${address.replace(/\/$/, '')}/${page}`) as string;
}

/** The maximum age of a sign-in for sensitive changes, as in the API. */
const RECENT_MS = 15 * 60_000;

export function isSignInOld(): boolean {
  const { signed_in_at } = session.value ?? {};
  return signed_in_at !== undefined && consoleNowMs() - Date.parse(signed_in_at) > RECENT_MS;
}

/**
 * Switches to another of the person's organisations. Loads Home, because everything on this page belongs to the
 * previous one.
 */
export async function switchOrganisation(id: string): Promise<Problem | undefined> {
  const body: SwitchBody = { organisation_id: id };
  const result = await send<SessionView>('POST', '/session/organisation', body);
  if (!result.ok) return result.problem;
  location.assign('/');
  return undefined;
}

export async function signOut(everywhere: boolean): Promise<Problem | undefined> {
  const result = await send<EndSessionView>('POST', '/session/end', { everywhere });
  if (!result.ok) return result.problem;
  forgetInput();
  location.assign(result.data.sign_out_url);
  return undefined;
}
