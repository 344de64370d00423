import * as v from 'valibot';
import { localPhone, plainDate, plainGender, plainImage, plainText } from './formats.ts';

/**
 * The building blocks of answer schemas (decision D7). A field that is absent or null is empty; a scalar is brought
 * into the documented form; an object or array where a text belongs makes the whole answer invalid.
 */
const scalar = v.nullish(v.union([v.string(), v.number(), v.boolean()]), '');
const word = v.nullish(v.union([v.string(), v.number()]), '');

export const textField = v.pipe(scalar, v.transform(plainText));
export const dateField = v.pipe(word, v.transform(plainDate));
export const phoneField = v.pipe(word, v.transform(localPhone));
export const genderField = v.pipe(v.nullish(v.string(), ''), v.transform(plainGender));
export const imageField = v.pipe(v.nullish(v.string(), ''), v.transform(plainImage));

/** An amount, with or without thousands separators; 0 where there is none, or where it is no amount. */
export const amountField = v.pipe(
  word,
  v.transform((value) => {
    const amount = typeof value === 'number' ? value : Number(plainText(value).replaceAll(',', ''));
    return Number.isFinite(amount) && amount >= 0 ? amount : 0;
  }),
);

/** A percentage with two decimals, or null where the registry gives none. */
export const percentageField = v.pipe(
  word,
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
