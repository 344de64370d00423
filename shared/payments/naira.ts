import { notPossible } from '../core/not-possible.ts';

/**
 * All are whole numbers of kobo, hundredths of a naira (contract P1). Rates are in basis points: 750 is 7.5%.
 */

const BASIS_POINTS = 10_000;

export interface Amounts {
  readonly netKobo: number;
  readonly vatKobo: number;
  readonly totalKobo: number;
}

/** In kobo, rounded half up. */
export function vatOf(netKobo: number, vatBasisPoints: number): number {
  const scaled = BigInt(netKobo) * BigInt(vatBasisPoints);
  const half = BigInt(BASIS_POINTS / 2);
  return Number((scaled + half) / BigInt(BASIS_POINTS));
}

/** With the VAT that `totalKobo` contains, rounded half up. */
export function amountsIn(totalKobo: number, vatBasisPoints: number): Amounts {
  const [total, rate] = [BigInt(totalKobo), BigInt(vatBasisPoints)];
  const whole = BigInt(BASIS_POINTS) + rate;
  const vatKobo = Number((2n * total * rate + whole) / (2n * whole));
  return { netKobo: totalKobo - vatKobo, vatKobo, totalKobo };
}

/** Throws if an amount is too large to be exact. */
export function priceOf(credits: number, koboPerCredit: number, vatBasisPoints: number): Amounts {
  const netKobo = credits * koboPerCredit;
  const vatKobo = vatOf(netKobo, vatBasisPoints);
  const totalKobo = netKobo + vatKobo;
  if (!Number.isSafeInteger(totalKobo)) throw notPossible('The amount is too large.');
  return { netKobo, vatKobo, totalKobo };
}

const WHOLE = new Intl.NumberFormat('en-NG');

/** With two decimals, such as `12,345.60`, without a currency sign. */
export function nairaText(kobo: number): string {
  const amount = Math.abs(kobo);
  const rest = amount % 100;
  const sign = kobo < 0 ? '-' : '';
  return `${sign}${WHOLE.format((amount - rest) / 100)}.${String(rest).padStart(2, '0')}`;
}
