/** Keeps a page that shows something which cannot be shown again. */

let kept: string | undefined;

// Before the router, which also listens: the listeners of a window run in the order in which they were added.
addEventListener('popstate', (event) => {
  if (kept === undefined) return;
  event.stopImmediatePropagation();
  history.pushState(null, '', kept);
});

const ask = (event: BeforeUnloadEvent) => event.preventDefault();

/**
 * Stays on the page if the person goes back, and lets the browser ask them before it reloads or closes the page. Returns
 * a function that ends this.
 */
export function stayHere(): () => void {
  kept = location.href;
  addEventListener('beforeunload', ask);
  return () => {
    kept = undefined;
    removeEventListener('beforeunload', ask);
  };
}
