/** Returns the earlier of two ISO times, days or sort keys that begin with a time. */
export function earlier(a: string, b: string): string {
  return a < b ? a : b;
}

/** Returns the later of two ISO times, days or sort keys that begin with a time. */
export function later(a: string, b: string): string {
  return a > b ? a : b;
}
