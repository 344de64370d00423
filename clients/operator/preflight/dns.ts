import { Resolver as MachineResolver } from 'node:dns/promises';

/** Returns the IPv4 addresses and the CNAME of a name, or neither if it does not exist. Throws if DNS fails. */
export type Resolve = (
  name: string,
) => Promise<{ readonly addresses: readonly string[]; readonly alias?: string }>;

interface Resolver {
  resolve4(name: string): Promise<string[]>;
  resolveCname(name: string): Promise<string[]>;
}

export function machineDns(resolver: Resolver = new MachineResolver({ timeout: 5_000, tries: 2 })): Resolve {
  return async (name) => {
    const [addresses, aliases] = await Promise.all([
      records(() => resolver.resolve4(name)),
      records(() => resolver.resolveCname(name)),
    ]);
    return { addresses, ...(aliases[0] !== undefined && { alias: aliases[0] }) };
  };
}

/** Returns an empty list if the name does not exist or has no records of the type. */
async function records(query: () => Promise<string[]>): Promise<string[]> {
  try {
    return await query();
  } catch (error) {
    if (error instanceof Error && 'code' in error && ['ENODATA', 'ENOTFOUND'].includes(String(error.code)))
      return [];
    throw error;
  }
}
