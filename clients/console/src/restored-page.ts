import type { SessionView } from '../../../shared/members/console/views.ts';
import { getQuietly } from './api.ts';
import { session } from './session.ts';

/**
 * Hides the page when the browser leaves it. If the browser shows it again from its back-forward cache, without a
 * request, it stays hidden until the session is known to be the same. Otherwise, for example after a sign-out in any
 * tab, it is loaded again.
 */
export function hideUntilSessionIsKnown(): void {
  const { style } = document.documentElement;
  addEventListener('pagehide', () => {
    style.visibility = 'hidden';
  });
  addEventListener('pageshow', async ({ persisted }) => {
    if (!persisted) return;
    const result = await getQuietly<SessionView>('/session');
    if (result.ok && ownerOf(result.data) === ownerOf(session.value)) style.visibility = '';
    else location.reload();
  });
}

/** Returns whose data a page shows. With another role, the person may see less of it. */
function ownerOf(view: SessionView | undefined): string {
  return [view?.person.id, view?.organisation?.id, view?.organisation?.role].join(' ');
}
