import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadSlipTheme } from '../shared/slips/theme.ts';

/** In the bundle, and the value of SLIP_THEME. */
export const SLIP_THEME_FILE = 'slip-theme.json';

/** An operator's slip theme (docs/design/slips/README.md). Throws at the first invalid entry. */
export function addSlipTheme(bundleDirectory: string, themeFile: string): void {
  loadSlipTheme(themeFile);
  copyFileSync(themeFile, join(bundleDirectory, SLIP_THEME_FILE));
}
