import type { RegistryRouting } from '../../core/config.ts';
import type { IdType } from '../../core/id-types.ts';
import type { SpecialNumber } from '../../core/numbers.ts';
import type { ServedIdTypes } from '../port.ts';

/**
 * The names of the registry providers, and what they serve. The adapters that call them are in connections.ts, so that
 * a function that only needs the names does not bundle the adapters.
 */

interface ProviderEntry {
  /** As shown to callers in `summary.provider`. */
  readonly displayName: string;
  readonly idTypes: ServedIdTypes;
  /** The ID types that the provider looks up only with the holder's names. */
  readonly namesNeeded?: readonly IdType[];
  readonly specialNumbers?: readonly SpecialNumber[];
  readonly findsBankOfAccount?: true;
  readonly hasFreeNameEnquiry?: true;
}

const BOTH = ['basic', 'premium'] as const;
const BASIC = ['basic'] as const;

export const LIVE_PROVIDERS = {
  prembly: {
    displayName: 'Prembly',
    idTypes: { NIN: BOTH, BVN: BOTH, CAC: BOTH, TIN: BASIC, NUBAN: BASIC },
    specialNumbers: ['NIN', 'RC'],
  },
  dojah: {
    displayName: 'Dojah',
    idTypes: { NIN: BOTH, BVN: BOTH, CAC: BOTH, TIN: BASIC, NUBAN: BASIC },
    specialNumbers: ['VNIN'],
  },
  qoreid: {
    displayName: 'QoreID',
    idTypes: { NIN: BOTH, BVN: BOTH, CAC: BOTH, TIN: BASIC, NUBAN: BASIC },
    // Its product for a NIN as Tax ID returns neither the NIN nor a name on its own (contract D7).
    specialNumbers: ['VNIN', 'RC'],
    namesNeeded: ['NIN', 'BVN', 'NUBAN'],
  },
  // "This endpoint is free for use" (Paystack's guide, "Verify Account Number", "Pricing").
  paystack: { displayName: 'Paystack', idTypes: { NUBAN: BASIC }, hasFreeNameEnquiry: true },
  youverify: { displayName: 'Youverify', idTypes: { NIN: BOTH, BVN: BOTH, TIN: BASIC } },
} as const satisfies Readonly<Record<string, ProviderEntry>>;

export const SANDBOX = {
  name: 'sandbox',
  displayName: 'Sandbox',
  idTypes: { NIN: BOTH, BVN: BOTH, CAC: BOTH, TIN: BASIC, NUBAN: BASIC },
  specialNumbers: ['VNIN', 'NIN', 'RC'],
  findsBankOfAccount: true,
} as const;

export type LiveProviderName = keyof typeof LIVE_PROVIDERS;

export const LIVE_PROVIDER_NAMES = Object.keys(LIVE_PROVIDERS) as readonly LiveProviderName[];

/** Returns a name from the configuration if a live provider has this name. Otherwise, throws. */
export function liveProviderName(name: string): LiveProviderName {
  const known = LIVE_PROVIDER_NAMES.find((one) => one === name);
  if (!known) throw new Error(`There is no registry provider named "${name}".`);
  return known;
}

/**
 * Returns the routing with only the providers that serve each ID type. The router never asks the others, and the
 * functions for the ID type do not contain their adapters.
 */
export function servedRouting(routing: RegistryRouting): RegistryRouting {
  const served = Object.entries(routing).map(([idType, names]) => [
    idType,
    names.filter((name) => name === SANDBOX.name || idType in LIVE_PROVIDERS[liveProviderName(name)].idTypes),
  ]);
  return Object.fromEntries(served);
}

/** Returns the display name of a provider or of the sandbox. Throws if the name is unknown. */
export function displayNameOf(name: string): string {
  return name === SANDBOX.name ? SANDBOX.displayName : LIVE_PROVIDERS[liveProviderName(name)].displayName;
}

/** Whether the provider with this name looks up an ID type only with the holder's names. */
export function needsNames(name: string, idType: IdType): boolean {
  if (name === SANDBOX.name) return false;
  const entry: ProviderEntry = LIVE_PROVIDERS[liveProviderName(name)];
  return entry.namesNeeded?.includes(idType) ?? false;
}
