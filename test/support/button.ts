import type { Locator, Page } from 'playwright-core';

export const button = (where: Page | Locator, name: string | RegExp) =>
  where.getByRole('button', { name, exact: true });
