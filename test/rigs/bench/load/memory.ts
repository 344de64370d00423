import { readdirSync, readFileSync } from 'node:fs';

/** Resident memory of the function processes, in megabytes. */
export interface MemorySample {
  readonly processes: number;
  readonly medianMb: number;
  readonly largestMb: number;
}

export function memoryOfFunctions(): MemorySample {
  const megabytes = readdirSync('/proc')
    .filter((name) => /^[0-9]+$/.test(name))
    .flatMap((pid) => functionMb(pid) ?? [])
    .sort((a, b) => a - b);
  return {
    processes: megabytes.length,
    medianMb: megabytes[Math.floor(megabytes.length / 2)] ?? 0,
    largestMb: megabytes.at(-1) ?? 0,
  };
}

/** Undefined for other processes, and for those that have just ended. */
function functionMb(pid: string): number | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const excludedFromHealth = new RegExp(`^PPid:\\s+${process.pid}$`, 'm').test(status);
    const isFunction = readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('instance.mjs');
    if (!excludedFromHealth || !isFunction) return undefined;
    return Number(/^VmRSS:\s+([0-9]+)/m.exec(status)?.[1]) / 1024;
  } catch {
    return undefined;
  }
}
