import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadSlipTheme } from '../shared/slips/theme.ts';

/** The theme's file beside the code of the function that draws slips; its setting SLIP_THEME. */
export const SLIP_THEME_FILE = 'slip-theme.json';

/**
 * Lays an operator's slip theme into the bundle that draws slips (docs/slips/README.md).
 * Throws with the first wrong entry, so that a wrong theme is never deployed.
 */
export function addSlipTheme(bundleDirectory: string, themeFile: string): void {
  loadSlipTheme(themeFile);
  copyFileSync(themeFile, join(bundleDirectory, SLIP_THEME_FILE));
}
