import { ID_TYPES, type IdType } from '../core/id-types.ts';

/** The service catalogue: the services that can be requested, enabled and charged (contract E4). */

type Level = 'basic' | 'premium';

interface Service {
  readonly idType: IdType;
  readonly level: Level;
  /** Whole credits. An organisation may have its own price (contract E1). */
  readonly price: number;
}

export const SERVICES = {
  'nin-basic': { idType: 'NIN', level: 'basic', price: 1 },
  'nin-premium': { idType: 'NIN', level: 'premium', price: 1 },
  'bvn-basic': { idType: 'BVN', level: 'basic', price: 1 },
  'bvn-premium': { idType: 'BVN', level: 'premium', price: 1 },
  'cac-basic': { idType: 'CAC', level: 'basic', price: 1 },
  'cac-premium': { idType: 'CAC', level: 'premium', price: 1 },
  'tin-basic': { idType: 'TIN', level: 'basic', price: 1 },
  'nuban-basic': { idType: 'NUBAN', level: 'basic', price: 1 },
  /** Looks up the record again at Premium level, because no record is stored (contract E5). */
  'nin-slip': { idType: 'NIN', level: 'premium', price: 1 },
} as const satisfies Record<string, Service>;

export type ServiceName = keyof typeof SERVICES;
export const SERVICE_NAMES = Object.keys(SERVICES) as ServiceName[];

/** The API routes that look up numbers: one for each service, and the unified gateway. */
export const LOOK_UP_ROUTES = [...SERVICE_NAMES, 'verify-identity'] as const;
export type LookUpRoute = (typeof LOOK_UP_ROUTES)[number];

/** The alias of `id_number` on each dedicated route (contract A3). */
export const NUMBER_ALIASES = {
  NIN: 'nin',
  BVN: 'bvn',
  CAC: 'rc_number',
  TIN: 'tin',
  NUBAN: 'nuban',
} as const satisfies Readonly<Record<IdType, string>>;

/** All names of the number. */
export const NUMBER_FIELDS = ['id_number', ...Object.values(NUMBER_ALIASES)] as const;

/** Returns the service that an ID type and a level select on the gateway, or undefined if the type has no such level. */
export function gatewayService(idType: IdType, level: Level): ServiceName | undefined {
  const name = `${idType.toLowerCase()}-${level}`;
  return SERVICE_NAMES.find((service) => service === name);
}

/**
 * Returns the services that `service enable <org> <name>` enables: one service, or all services of an ID type (contract
 * B6).
 */
export function servicesNamed(name: string): ServiceName[] {
  if (Object.hasOwn(SERVICES, name)) return [name as ServiceName];
  if (!ID_TYPES.includes(name as IdType)) return [];
  return SERVICE_NAMES.filter((service) => SERVICES[service].idType === name);
}

/** The services whose log rows permit a slip (contract E5). */
export const SLIP_SOURCES: readonly string[] = ['nin-basic', 'nin-premium'];
