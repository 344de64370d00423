import * as v from 'valibot';
import {
  localPhone,
  type PictureProblem,
  plainDate,
  plainGender,
  plainText,
  readPicture,
} from './formats.ts';

/**
 * The building blocks of response schemas (contract D7). Unless a field is required, it becomes empty (0 for an amount,
 * null for a percentage) if it is absent or null. A scalar is converted to the documented format. A value of the wrong
 * type, such as an object, makes the whole response invalid, as does a value beyond the limits below, which are checked
 * before the value is used.
 */

const MAX_CHARACTERS = 600;
const MAX_ENTRIES = 500;
/** Enough for 1 MiB, the largest picture that a slip shows, as base64 with line breaks. */
const MAX_IMAGE_CHARACTERS = 1_500_000;
/** Bearer tokens are longer than other strings. Most servers reject headers of more than 8 KB. */
const MAX_TOKEN_CHARACTERS = 8_000;

const LONG_TEXT = `text-over-${MAX_CHARACTERS}`;
const LONG_LIST = `list-over-${MAX_ENTRIES}`;
const LONG_IMAGE = `image-over-${MAX_IMAGE_CHARACTERS}`;
const LONG_TOKEN = `token-over-${MAX_TOKEN_CHARACTERS}`;

/** The messages for values beyond the limits. They are logged, so they contain no part of the value. */
export const LIMIT_MESSAGES: ReadonlySet<string> = new Set([LONG_TEXT, LONG_LIST, LONG_IMAGE, LONG_TOKEN]);

/**
 * Whether a string has at most 600 characters, excluding control characters, which some sources pad their fields with.
 * A string with more than ten times as many characters is always too long, so that counting is never slow.
 */
function isShort(text: string): boolean {
  if (text.length <= MAX_CHARACTERS) return true;
  if (text.length > 10 * MAX_CHARACTERS) return false;
  return [...text.replace(/\p{Cc}+/gu, '')].length <= MAX_CHARACTERS;
}

const scalar = v.nullish(v.union([v.string(), v.number(), v.boolean()]), '');
const textOrNumber = v.nullish(v.union([v.string(), v.number()]), '');
const text = v.nullish(v.string(), '');

/** Converts a value to a string within the limit, which is the first step of most fields. */
function short(schema: v.GenericSchema<unknown, string | number | boolean>) {
  return v.pipe(
    schema,
    v.transform((value): string => String(value)),
    v.check(isShort, LONG_TEXT),
  );
}

export const textField = v.pipe(
  short(scalar),
  v.transform((value) => plainText(value)),
);
export const dateField = v.pipe(
  short(textOrNumber),
  v.transform((value) => plainDate(value)),
);
export const phoneField = v.pipe(
  short(textOrNumber),
  v.transform((value) => localPhone(value)),
);
export const genderField = v.pipe(short(text), v.transform(plainGender));
export const imageField = v.pipe(
  text,
  v.maxLength(MAX_IMAGE_CHARACTERS, LONG_IMAGE),
  v.transform((value) => {
    const { picture, problem } = readPicture(value);
    if (problem) pictureProblem = problem;
    return picture;
  }),
);

let pictureProblem: PictureProblem | undefined;

/**
 * Parses a response. Also returns why one of its pictures could not be read, which is not a fault of the record.
 * Parsing is synchronous, so that no two responses are parsed at a time.
 */
export function parseWithPictures<S extends v.GenericSchema>(schema: S, json: unknown) {
  pictureProblem = undefined;
  const parsed = v.safeParse(schema, json, { abortEarly: true });
  return { parsed, pictureProblem };
}

/** The names under which providers' samples, resellers and NIMC's own interface return the holder's picture. */
export const pictureFields = {
  photo: imageField,
  image: imageField,
  picture: imageField,
  photograph: imageField,
  base64Image: imageField,
};

/** Returns the first picture that could be read. */
export function pictureIn(entry: Readonly<Record<keyof typeof pictureFields, string>>): string {
  return entry.photo || entry.image || entry.picture || entry.photograph || entry.base64Image;
}

/** The naira's sign and its replacements, before or after an amount. */
const CURRENCY = /^(?:₦|NGN|=?N=?|#) ?| ?(?:NGN|naira)$/gi;

/** An amount, with or without currency and thousands separators. 0 if the value is missing or is not an amount. */
export const amountField = v.pipe(
  short(textOrNumber),
  v.transform((value) => {
    const amount = Number(plainText(value).replace(CURRENCY, '').replace(/[, ]/g, ''));
    return Number.isFinite(amount) && amount >= 0 ? amount : 0;
  }),
);

/** A percentage, rounded to two decimals. Null if the value is missing or is not a percentage. */
export const percentageField = v.pipe(
  short(textOrNumber),
  v.transform((value) => {
    const percent = plainText(value).replace(/\s*%$/, '');
    const percentage = Number(percent);
    return percent !== '' && percentage >= 0 && percentage <= 100 ? Math.round(percentage * 100) / 100 : null;
  }),
);

export const flagField = v.pipe(
  short(scalar),
  v.transform((value) => /^(?:true|yes|y|1)$/i.test(value.trim())),
);

/** An error message as the provider wrote it. It must be present. */
export const messageField = short(v.string());

/** A bearer token, which is sent back in a header. */
export const tokenField = v.pipe(
  v.string(),
  v.maxLength(MAX_TOKEN_CHARACTERS, LONG_TOKEN),
  v.regex(/^[\x21-\x7e]+$/),
);

/** A list. Its length is checked before its entries are parsed. */
export function listOf<E extends v.GenericSchema>(entry: E) {
  return v.pipe(v.custom<unknown[]>(Array.isArray), v.maxLength(MAX_ENTRIES, LONG_LIST), v.array(entry));
}
