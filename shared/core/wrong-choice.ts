import type * as v from 'valibot';
import { invalidSchema, type ServiceError } from './errors.ts';

/** Returns the error for a value that is not permitted. */
export function wrongChoice(subject: string, field: string, issue: v.BaseIssue<unknown>): ServiceError {
  const choices = (issue.expected ?? '').replace(/[()]/g, '').split(' | ');
  const listed = [choices.slice(0, -1).join(', '), choices.at(-1)].filter(Boolean).join(' or ');
  const problem = `${subject} must be ${listed}.`;
  if (typeof issue.input !== 'string')
    return invalidSchema('wrong_type', field, problem, 'Send it as a string.');
  return invalidSchema('wrong_value', field, problem, hintFor(choices, issue.input));
}

function hintFor(choices: readonly string[], input: string): string {
  const meant = choices.find((choice) => choice.toLowerCase() === `"${input}"`.toLowerCase());
  if (meant) return `Did you mean ${meant}?`;
  return choices.length === 1 ? `Send ${choices[0]}.` : 'Send one of the documented values.';
}
