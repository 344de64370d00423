import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadSlipTheme } from '../shared/slips/theme.ts';

/** The name of the theme file in the bundle of a function, and the value of its variable SLIP_THEME. */
export const SLIP_THEME_FILE = 'slip-theme.json';

/**
 * Copies an operator's slip theme into the bundle of a function that draws slips (docs/design/slips/README.md).
 * Throws at the first invalid entry, so that an invalid theme is never deployed.
 */
export function addSlipTheme(bundleDirectory: string, themeFile: string): void {
  loadSlipTheme(themeFile);
  copyFileSync(themeFile, join(bundleDirectory, SLIP_THEME_FILE));
}
