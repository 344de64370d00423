import { Resolver as MachineResolver } from 'node:dns/promises';

/** The functions throw if DNS fails. */
export interface Dns {
  /** Returns the IPv4 addresses and the CNAME of a name, or neither if it does not exist. */
  resolve(name: string): Promise<{ readonly addresses: readonly string[]; readonly alias?: string }>;
  nameServers(name: string): Promise<readonly string[]>;
  /** Returns who may issue certificates for a name: anyone if the list is empty. Undefined without CAA records. */
  issuers(name: string): Promise<readonly string[] | undefined>;
}

interface Resolver {
  resolve4(name: string): Promise<string[]>;
  resolveCname(name: string): Promise<string[]>;
  resolveNs(name: string): Promise<string[]>;
  resolveCaa(name: string): Promise<{ readonly issue?: string | undefined }[]>;
}

export function machineDns(resolver: Resolver = new MachineResolver({ timeout: 5_000, tries: 2 })): Dns {
  return {
    async resolve(name) {
      const [addresses, aliases] = await Promise.all([
        records(() => resolver.resolve4(name)),
        records(() => resolver.resolveCname(name)),
      ]);
      return { addresses, ...(aliases[0] !== undefined && { alias: aliases[0] }) };
    },
    nameServers: (name) => records(() => resolver.resolveNs(name)),
    async issuers(name) {
      const found = await records(() => resolver.resolveCaa(name));
      if (found.length === 0) return undefined;
      return found.flatMap(({ issue }) => issue?.split(';')[0]?.trim() ?? []);
    },
  };
}

/** Returns an empty list if the name does not exist or has no records of the type. */
async function records<T>(query: () => Promise<T[]>): Promise<T[]> {
  try {
    return await query();
  } catch (error) {
    if (error instanceof Error && 'code' in error && ['ENODATA', 'ENOTFOUND'].includes(String(error.code)))
      return [];
    throw error;
  }
}
