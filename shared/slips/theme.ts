import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { readPicture } from './picture/photo.ts';

/**
 * The look and wording of slips. An operator with written authorisation can replace the default theme
 * (default-theme.ts) with official artwork and wording at deployment: see docs/design/slips/README.md.
 */

const line = (longest: number) => v.pipe(v.string(), v.nonEmpty(), v.maxLength(longest));
const colour = v.pipe(v.string(), v.regex(/^#[0-9a-fA-F]{6}$/));
const positive = v.pipe(v.number(), v.finite(), v.minValue(0.001), v.maxValue(100_000));

const artworkPath = v.strictObject({
  d: v.pipe(v.string(), v.maxLength(100_000), v.regex(/^[MmLlHhVvCcSsQqTtAaZz0-9eE.,\s+-]+$/)),
  fill: v.optional(colour),
  stroke: v.optional(colour),
  strokeWidth: v.optional(positive),
});

const artwork = v.variant('kind', [
  v.strictObject({
    kind: v.literal('paths'),
    /** The size of the paths' coordinate system. Its origin is the top left corner. */
    width: positive,
    height: positive,
    paths: v.pipe(v.array(artworkPath), v.minLength(1), v.maxLength(2_000)),
  }),
  v.strictObject({
    kind: v.literal('image'),
    /** A PNG or JPEG in Base64, up to 1 MiB and 2,000 x 2,000 pixels. */
    base64: v.pipe(
      v.string(),
      v.check(
        (base64) => readPicture(base64) !== undefined,
        'must be a PNG or JPEG of up to 1 MiB and 2,000 x 2,000 pixels',
      ),
    ),
  }),
]);

const labels = v.strictObject({
  trackingId: line(40),
  nin: line(60),
  surname: line(40),
  firstName: line(40),
  middleName: line(40),
  givenNames: line(40),
  gender: line(40),
  sex: line(40),
  birthDate: line(40),
  address: line(40),
  lga: line(40),
  state: line(40),
  generatedOn: line(40),
  requestId: line(40),
});

const wording = v.strictObject({
  title: line(60),
  subtitle: line(120),
  names: v.strictObject({ regular: line(40), improved: line(40), premium: line(40) }),
  labels,
  notesHeading: line(60),
  notes: v.pipe(v.array(line(400)), v.minLength(1), v.maxLength(3)),
  backHeading: line(60),
  backPoints: v.pipe(v.array(line(220)), v.minLength(1), v.maxLength(5)),
  scanHint: line(60),
  /** The notice on the front and the back of the cards. Without it, the front shows the subtitle. */
  cardNotice: v.optional(line(60)),
  namesOnBack: v.optional(line(40), 'In full on the back'),
  namesBelow: v.optional(line(40), 'In full below'),
  /** Shown if the details sent with the request matched the record. The time follows the text. */
  detailsConfirmed: v.optional(v.strictObject({ heading: line(40), text: line(120) }), {
    heading: 'Details confirmed',
    text: 'The details sent with the request matched the registry record on',
  }),
  stepsHeading: line(80),
  steps: v.pipe(v.array(v.strictObject({ heading: line(50), text: line(260) })), v.maxLength(3)),
  photoAlt: line(80),
  noPhotoAlt: line(80),
  qrAlt: line(80),
});

const colours = v.strictObject({
  ink: colour,
  muted: colour,
  line: colour,
  accent: colour,
  tint: colour,
  /** The premium background: a gradient from the first to the second colour, with a pattern in the third. */
  ground: v.strictTuple([colour, colour, colour]),
});

const slipTheme = v.strictObject({
  /** The BCP 47 tag of the wording's language. */
  language: v.pipe(v.string(), v.regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/)),
  /** The written authorisation for this theme, printed on every slip. Null only in the default theme. */
  authorisation: v.nullable(v.strictObject({ reference: line(60), authority: line(120) })),
  wording,
  colours,
  artwork: v.strictObject({
    emblem: artwork,
    logo: v.nullable(artwork),
    /** Replaces the background of the premium card, which is 85.6 x 54 mm. */
    premiumGround: v.nullable(artwork),
  }),
});

export type SlipTheme = v.InferOutput<typeof slipTheme>;
export type Artwork = v.InferOutput<typeof artwork>;

const suppliedTheme = v.pipe(
  slipTheme,
  v.check(
    (theme) => theme.authorisation !== null,
    'authorisation: required in a custom theme. Set `reference` and `authority`',
  ),
);

/**
 * Checks and returns an operator's theme. Throws with the path of the first invalid entry: the deployment then fails.
 */
export function parseSlipTheme(input: unknown): SlipTheme {
  const result = v.safeParse(suppliedTheme, input);
  if (result.success) return result.output;
  const [issue] = result.issues;
  throw new Error(`The slip theme is not valid: ${v.getDotPath(issue) ?? ''} ${issue.message}`);
}

/** Reads and checks a theme file. Throws if it is missing, not JSON, or not a valid theme. */
export function loadSlipTheme(path: string): SlipTheme {
  return parseSlipTheme(JSON.parse(readFileSync(path, 'utf8')));
}
