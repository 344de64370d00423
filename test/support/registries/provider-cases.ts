import type { LiveProviderName } from '../../../shared/registries/providers/catalogue.ts';
import type { ProviderCases } from './cases/case.ts';
import { DOJAH } from './cases/dojah.ts';
import { PREMBLY } from './cases/prembly.ts';

/** The cases of each provider's fixtures. */
export const PROVIDER_CASES: Readonly<Partial<Record<LiveProviderName, ProviderCases>>> = {
  prembly: PREMBLY,
  dojah: DOJAH,
};
