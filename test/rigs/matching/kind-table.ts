import { type Errors, errorsByKind, errorsOf, wilson } from './measure.ts';
import { inView, type Pair, VIEWS } from './pairs.ts';

const percent = (rate: number) => `${(rate * 100).toFixed(2)}%`;

/** Returns the wrong pairs of all, and the 95% interval. */
function cellsOf(errors: Errors | undefined): string {
  if (!errors) return ' | ';
  return `${errors.wrong} of ${errors.pairs} | ${wilson(errors).map(percent).join(' to ')}`;
}

/** Returns the errors of each kind of pairs and of all, for each view, as a table in Markdown. */
export function kindTable(pairs: readonly Pair[], onlyErrors = false): string {
  const views = VIEWS.map((view) => {
    const list = inView(pairs, view);
    return new Map([
      ...errorsByKind(list).map(({ kind, isSame, errors }) => [nameOf(kind, isSame), errors] as const),
      ['all false matches', errorsOf(list, false)] as const,
      ['all false non-matches', errorsOf(list, true)] as const,
    ]);
  });
  const isShown = (kind: string) => !onlyErrors || views.some((view) => view.get(kind)?.wrong);
  const kinds = [...new Set(views.flatMap((view) => [...view.keys()]))].sort().filter(isShown);
  const head = VIEWS.map((view) => `${view}: wrong | 95% interval`).join(' | ');
  return [
    `| kind | ${head} |`,
    `|---${'|---|---'.repeat(VIEWS.length)}|`,
    ...kinds.map((kind) => `| ${kind} | ${views.map((view) => cellsOf(view.get(kind))).join(' | ')} |`),
    '',
  ].join('\n');
}

function nameOf(kind: string, isSame: boolean): string {
  return `${isSame ? 'one person' : 'two people'}: ${kind.replaceAll('-', ' ') || 'no kind'}`;
}
