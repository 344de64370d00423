/**
 * The provider that serves TIN in each release of the simulation. Every response with a TIN record shows which release
 * of the configuration and the code produced it.
 */
export const RELEASES: Readonly<Record<string, 'dojah' | 'sandbox'>> = { '1': 'sandbox', '2': 'dojah' };
export const RELEASE_ROUTE = 'tin-basic';
/** As in `summary.provider`. */
export const DISPLAY_NAMES = { dojah: 'Dojah', sandbox: 'Sandbox' } as const;
