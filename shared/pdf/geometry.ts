/** Millimetres from the top left corner of the page. */

export const PAGE_WIDTH_MM = 210;
export const PAGE_HEIGHT_MM = 297;
export const PT_PER_MM = 72 / 25.4;

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Gradient {
  readonly from: readonly number[];
  readonly to: readonly number[];
  /** In points from the bottom left corner: x0, y0, x1, y1. */
  readonly axis: readonly number[];
}

/** A transformation matrix in PDF notation. */
export type Matrix = readonly [number, number, number, number, number, number];

/** Control points of a Bézier quarter circle of radius 1. */
const ROUND = 0.5523;

/** Up to three decimals, finer than any printer's resolution. */
export function number(value: number): string {
  return String(Math.round(value * 1000) / 1000);
}

/** To points from the left edge. */
export const x = (mm: number): number => mm * PT_PER_MM;
/** From the top, to points from the bottom edge. */
export const y = (mm: number): number => (PAGE_HEIGHT_MM - mm) * PT_PER_MM;
/** Formats a list of operands. */
export const list = (...values: readonly number[]): string => values.map(number).join(' ');

/** Of `#rrggbb`, each from 0 to 1. */
export function components(hex: string): [red: number, green: number, blue: number] {
  const part = (at: number): number =>
    Math.round((Number.parseInt(hex.slice(at, at + 2), 16) / 255) * 1000) / 1000;
  return [part(1), part(3), part(5)];
}

/** Formats a colour as operands. */
export const colour = (hex: string): string => list(...components(hex));

/** A box with rounded corners, as a path. */
export function rounded({ x: left, y: top, width, height }: Box, radius: number): string {
  const [r, k] = [x(radius), x(radius) * (1 - ROUND)];
  const [x0, x1, y0, y1] = [x(left), x(left + width), y(top + height), y(top)];
  return [
    `${list(x0 + r, y0)} m ${list(x1 - r, y0)} l ${list(x1 - k, y0, x1, y0 + k, x1, y0 + r)} c`,
    `${list(x1, y1 - r)} l ${list(x1, y1 - k, x1 - k, y1, x1 - r, y1)} c`,
    `${list(x0 + r, y1)} l ${list(x0 + k, y1, x0, y1 - k, x0, y1 - r)} c`,
    `${list(x0, y0 + r)} l ${list(x0, y0 + k, x0 + k, y0, x0 + r, y0)} c h`,
  ].join('\n');
}
