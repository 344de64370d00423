import { escapeHtml } from '../core/html.ts';
import type { DetailsComparison } from './commitments.ts';
import { formatMoment } from './slip.ts';
import { type FieldErrors, type FormField, LONGEST_VALUE } from './typed-form.ts';

/** The form on the check page, and the result for the typed details, which are never shown again. */

type CheckProblem =
  | { readonly kind: 'incomplete'; readonly errors: FieldErrors }
  | {
      readonly kind:
        | 'malformed'
        | 'too-large'
        | 'wrong-content-type'
        | 'other-site'
        | 'unsupported'
        | 'unavailable';
    }
  | { readonly kind: 'too-many-attempts'; readonly nextAt: Date };

export type TypedCheck =
  | { readonly kind: 'compared'; readonly comparison: DetailsComparison }
  | { readonly kind: 'problem'; readonly problem: CheckProblem };

interface Verdict {
  readonly status: number;
  readonly tone: 'match' | 'invalid' | 'expired';
  readonly heading: string;
  readonly text: string;
}

const NOT_CHECKED = 'The details were not checked';

const PROBLEMS: Readonly<Record<CheckProblem['kind'], readonly [number, string]>> = {
  incomplete: [
    400,
    'Something is missing or cannot be read. See the messages in the form, and type the details again.',
  ],
  malformed: [400, 'The form could not be read. Type the details into the form below.'],
  'too-large': [413, 'The form was too long. Type the details as they are printed on the slip.'],
  'wrong-content-type': [
    415,
    'The details were not sent by the form on this page, which sends application/x-www-form-urlencoded. Type them into the form below.',
  ],
  'other-site': [
    403,
    'Another website sent details to this page. Do not rely on what that website shows. Type the details that are printed on the slip into the form below.',
  ],
  unsupported: [
    409,
    'The details on this slip cannot be checked. Verify the number again with a lawful reason.',
  ],
  'too-many-attempts': [
    429,
    'Details that do not match were typed too often for this code. Do not rely on the slip: verify the number again.',
  ],
  unavailable: [503, 'The service cannot check details at the moment. Try again in a minute.'],
};

function problemVerdict(problem: CheckProblem): Verdict {
  const [status, text] = PROBLEMS[problem.kind];
  const shared = { status, tone: 'expired', heading: NOT_CHECKED } as const;
  if (problem.kind !== 'too-many-attempts') return { ...shared, text };
  const { date, time } = formatMoment(problem.nextAt);
  return { ...shared, text: `${text} The next check is possible after ${date}, ${time}.` };
}

export function isFullMatch({ numberAndSurname, givenNamesAndBirthDate }: DetailsComparison): boolean {
  return numberAndSurname && givenNamesAndBirthDate !== false;
}

/** Returns what the page says about typed details. */
export function verdictOf(check: TypedCheck): Verdict {
  if (check.kind === 'problem') return problemVerdict(check.problem);
  if (isFullMatch(check.comparison))
    return {
      status: 200,
      tone: 'match',
      heading: 'Match',
      text: 'The details that you typed match those that the registry returned when this slip was made. Nothing else on the slip was checked.',
    };
  return {
    status: 200,
    tone: 'invalid',
    heading: 'No match',
    text: 'The details that you typed do not match those that the registry returned when this slip was made. Check your typing and try again. If they still do not match, do not rely on the slip: it may be forged.',
  };
}

function part(name: string, isMatch: boolean | undefined): string {
  const [result, tone] =
    isMatch === undefined
      ? ['Not checked', 'expired']
      : isMatch
        ? ['Match', 'match']
        : ['No match', 'invalid'];
  return `<dt>${escapeHtml(name)}</dt><dd class="${tone}">${result}</dd>`;
}

/** Returns the result of each part, without saying which value of a part differs. */
export function comparedParts({ numberAndSurname, givenNamesAndBirthDate }: DetailsComparison): string {
  return `<dl>${part('NIN and surname', numberAndSurname)}${part('Given names and date of birth, with the NIN', givenNamesAndBirthDate)}</dl>`;
}

interface Input {
  readonly name: FormField;
  readonly label: string;
  readonly hint: string;
  readonly attributes: string;
}

const REQUIRED: readonly Input[] = [
  {
    name: 'nin',
    label: 'NIN',
    hint: '11 digits. Spaces do not matter.',
    attributes: 'required inputmode="numeric" maxlength="32"',
  },
  {
    name: 'surname',
    label: 'Surname',
    hint: 'The whole surname. Capitals, tone marks, spaces and hyphens do not matter.',
    attributes: `required maxlength="${LONGEST_VALUE}"`,
  },
];
const OPTIONAL: readonly Input[] = [
  {
    name: 'given_names',
    label: 'Given names',
    hint: 'All first and middle names, in any order.',
    attributes: `maxlength="${LONGEST_VALUE}"`,
  },
  {
    name: 'birth_date',
    label: 'Date of birth',
    hint: 'For example 12 MAR 1990 or 12-03-1990. The regular slip does not show it.',
    attributes: 'maxlength="32"',
  },
];

function inputOf({ name, label, hint, attributes }: Input, errors: FieldErrors): string {
  const error = errors[name];
  const described = error === undefined ? `${name}-hint` : `${name}-error ${name}-hint`;
  const message = error === undefined ? '' : `<p class="error" id="${name}-error">${escapeHtml(error)}</p>`;
  const invalid = error === undefined ? '' : ' aria-invalid="true"';
  return `<div class="field"><label for="${name}">${label}</label>${message}
<p class="hint" id="${name}-hint">${hint}</p>
<input id="${name}" name="${name}" type="text" autocomplete="off" autocapitalize="off" spellcheck="false" aria-describedby="${described}"${invalid} ${attributes}></div>`;
}

/** Returns the form. It has no `action`, so browsers send it to the address of the page, whatever that address is. */
export function detailsForm(errors: FieldErrors): string {
  const inputs = (list: readonly Input[]) => list.map((input) => inputOf(input, errors)).join('\n');
  return `<section aria-labelledby="form-heading">
<h2 id="form-heading">Check the details on the slip</h2>
<p>Type what is printed on the slip. The page compares it with the code and says only whether they match. What you type is not stored and not shown again.</p>
<form method="post" accept-charset="utf-8">
${inputs(REQUIRED)}
<fieldset><legend>Optional</legend>
${inputs(OPTIONAL)}
</fieldset>
<button type="submit">Check the details</button>
</form>
</section>`;
}
