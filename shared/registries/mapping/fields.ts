import * as v from 'valibot';
import { localPhone, plainDate, plainGender, plainImage, plainText } from './formats.ts';

/**
 * The building blocks of response schemas (decision D7). An absent or null field becomes empty. A scalar is converted
 * to the documented format. An object or array in place of a scalar makes the whole response invalid.
 */
const scalar = v.nullish(v.union([v.string(), v.number(), v.boolean()]), '');
const textOrNumber = v.nullish(v.union([v.string(), v.number()]), '');

export const textField = v.pipe(scalar, v.transform(plainText));
export const dateField = v.pipe(textOrNumber, v.transform(plainDate));
export const phoneField = v.pipe(textOrNumber, v.transform(localPhone));
export const genderField = v.pipe(v.nullish(v.string(), ''), v.transform(plainGender));
export const imageField = v.pipe(v.nullish(v.string(), ''), v.transform(plainImage));

/** An amount, with or without thousands separators. 0 if it is missing or is not an amount. */
export const amountField = v.pipe(
  textOrNumber,
  v.transform((value) => {
    const amount = typeof value === 'number' ? value : Number(plainText(value).replaceAll(',', ''));
    return Number.isFinite(amount) && amount >= 0 ? amount : 0;
  }),
);

/** A percentage with two decimals, or null if the registry has none. */
export const percentageField = v.pipe(
  textOrNumber,
  v.transform((value) => {
    const text = plainText(value).replace(/\s*%$/, '');
    const percentage = Number(text);
    return text !== '' && percentage >= 0 && percentage <= 100 ? Math.round(percentage * 100) / 100 : null;
  }),
);

export const flagField = v.pipe(
  scalar,
  v.transform((value) => /^(?:true|yes|y|1)$/i.test(String(value).trim())),
);
