/**
 * Loads the styles of a page, which its code imports. Their address changes with their content, so the build lists it
 * in the start page, with a `rel` that browsers ignore. Rejects if the file cannot be loaded.
 */
export function loadStyles(page: string): Promise<unknown> {
  const link = document.querySelector<HTMLLinkElement>(`#styles-${page}`);
  if (!link) return Promise.resolve();
  return new Promise((resolve, reject) => {
    if (link.sheet) resolve(undefined);
    link.onload = resolve;
    link.onerror = reject;
    link.rel = 'stylesheet';
  });
}
