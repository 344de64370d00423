/** Runs `work` while the clock of this process is wrong by `shiftMs`. */
export async function withShiftedClock<T>(shiftMs: number, work: () => Promise<T>): Promise<T> {
  const RealDate = globalThis.Date;
  globalThis.Date = class extends RealDate {
    constructor(...args: [] | [string | number]) {
      super(args[0] ?? RealDate.now() + shiftMs);
    }
    static override now(): number {
      return RealDate.now() + shiftMs;
    }
  } as DateConstructor;
  try {
    return await work();
  } finally {
    globalThis.Date = RealDate;
  }
}
