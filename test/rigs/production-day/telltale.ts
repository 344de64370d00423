/**
 * Which provider serves TIN in which release of the day: each of its answers tells which version of the configuration
 * and of the code it came from.
 */
export const TELLTALE: Readonly<Record<string, 'dojah' | 'sandbox'>> = { '1': 'sandbox', '2': 'dojah' };
export const TELLTALE_ROUTE = 'tin-basic';
/** As `summary.provider` has them. */
export const DISPLAY_NAMES = { dojah: 'Dojah', sandbox: 'Sandbox' } as const;
