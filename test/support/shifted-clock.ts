/** Preloaded into a program (`node --import`) to shift its clock by `CLOCK_SHIFT_MS` milliseconds. */

const RealDate = Date;
const shiftMs = Number(process.env['CLOCK_SHIFT_MS']);

globalThis.Date = class extends RealDate {
  constructor(...args: [] | [string | number]) {
    super(args[0] ?? RealDate.now() + shiftMs);
  }
  static override now(): number {
    return RealDate.now() + shiftMs;
  }
} as DateConstructor;
