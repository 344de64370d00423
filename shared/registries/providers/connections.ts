import type { IdType } from '../../core/id-types.ts';
import type { ProviderAdapter, ProviderEndpoint } from './access.ts';
import type { LIVE_PROVIDERS, LiveProviderName } from './catalogue.ts';
import { DOJAH, dojahAdapter } from './dojah/dojah.ts';
import { PAYSTACK, paystackAdapter } from './paystack/paystack.ts';
import { PREMBLY, premblyAdapter } from './prembly/prembly.ts';
import { QOREID, qoreidAdapter } from './qoreid/qoreid.ts';
import { YOUVERIFY, youverifyAdapter } from './youverify/youverify.ts';

/**
 * The adapters of the live providers, by ID type. A function uses only the constants of its own ID types, so that its
 * bundle contains no other adapters.
 */

interface Connection {
  readonly adapter: ProviderAdapter;
  readonly endpoint: ProviderEndpoint;
}

export type Connections = Readonly<Partial<Record<LiveProviderName, Connection>>>;

type IdTypesOf<Name extends LiveProviderName> = (typeof LIVE_PROVIDERS)[Name]['idTypes'];

type ConnectionsOf<T extends IdType> = {
  readonly [Name in LiveProviderName as T extends keyof IdTypesOf<Name> ? Name : never]: Connection;
};

const prembly: Connection = { adapter: premblyAdapter, endpoint: PREMBLY };
const dojah: Connection = { adapter: dojahAdapter, endpoint: DOJAH };
const qoreid: Connection = { adapter: qoreidAdapter, endpoint: QOREID };
const paystack: Connection = { adapter: paystackAdapter, endpoint: PAYSTACK };
const youverify: Connection = { adapter: youverifyAdapter, endpoint: YOUVERIFY };

export const NIN_PROVIDERS: ConnectionsOf<'NIN'> = { prembly, dojah, qoreid, youverify };
export const BVN_PROVIDERS: ConnectionsOf<'BVN'> = { prembly, dojah, qoreid, youverify };
export const CAC_PROVIDERS: ConnectionsOf<'CAC'> = { prembly, dojah, qoreid };
export const TIN_PROVIDERS: ConnectionsOf<'TIN'> = { prembly, dojah, qoreid, youverify };
export const NUBAN_PROVIDERS: ConnectionsOf<'NUBAN'> = { prembly, dojah, qoreid, paystack };
export const ALL_PROVIDERS: Readonly<Required<Connections>> = { prembly, dojah, qoreid, paystack, youverify };
