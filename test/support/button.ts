import type { Locator, Page } from 'playwright-core';

/** Returns the button with exactly this name, or with a name that matches. */
export const button = (where: Page | Locator, name: string | RegExp) =>
  where.getByRole('button', { name, exact: true });
