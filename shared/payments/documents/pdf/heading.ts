import type { Canvas } from '../../../pdf/canvas.ts';
import { SEMIBOLD } from '../../../pdf/font.ts';
import type { Party } from '../../prices/billing.ts';
import type { FinancialDocument } from '../financial-document.ts';
import { drawFields, type Field } from './fields.ts';
import {
  BODY,
  LEFT,
  lineHeight,
  linesOf,
  PALETTE,
  type PageFlow,
  RIGHT,
  type Style,
  textWidth,
  WIDTH,
  writeLines,
} from './page-flow.ts';
import { dayText, monthText, TEST_NOTICE, TITLES } from './wording.ts';

const TITLE: Style = { sizePt: 22, font: SEMIBOLD, colour: PALETTE.accent };
const LABEL: Style = { sizePt: 7.5, colour: PALETTE.muted };
const NAME: Style = { sizePt: 10, font: SEMIBOLD };
const NOTICE: Style = { sizePt: 9, font: SEMIBOLD, colour: '#ffffff' };
const TITLE_Y = 15;
const GAP = 7;
const DETAILS_WIDTH = 48;
const MOST_HEIGHT = 110;
const SMALLEST_PT = 5;
const PARTY_WIDTH = (WIDTH - DETAILS_WIDTH - 2 * GAP) / 2;

/** The flow continues below. */
export function drawHeading(flow: PageFlow, document: FinancialDocument): void {
  const { canvas } = flow;
  canvas.tagged('H1', () => {
    writeLines(canvas, [TITLES[document.kind]], { x: LEFT, y: TITLE_Y }, TITLE);
  });
  if (document.env === 'test') drawNotice(canvas);
  const rule = TITLE_Y + lineHeight(TITLE) + 2;
  canvas.line(LEFT, rule, RIGHT, rule, { stroke: PALETTE.accent, lineWidth: 0.5 });
  const y = rule + 5;
  const bottoms = [
    drawParty(canvas, 'Seller', document.seller, { x: LEFT, y }),
    drawParty(canvas, 'Buyer', document.buyer, { x: LEFT + PARTY_WIDTH + GAP, y }),
    drawFields(canvas, detailsOf(document), { x: RIGHT - DETAILS_WIDTH, y, width: DETAILS_WIDTH }),
  ];
  flow.y = Math.max(...bottoms) + 4;
}

function drawNotice(canvas: Canvas): void {
  const width = textWidth(TEST_NOTICE, NOTICE) + 6;
  const height = lineHeight(NOTICE) + 2;
  const [x, y] = [RIGHT - width, TITLE_Y + 2];
  canvas.rectangle({ x, y, width, height }, { fill: PALETTE.warning }, 1);
  canvas.tagged('P', () => writeLines(canvas, [TEST_NOTICE], { x: x + 3, y: y + 1 }, NOTICE));
}

interface PartyLines {
  readonly names: readonly string[];
  /** Each wrapped. */
  readonly rest: readonly (readonly string[])[];
  readonly name: Style;
  readonly body: Style;
}

/** At the largest font size that leaves room for the rest. */
function linesOfParty(party: Party): PartyLines {
  for (let body = BODY; ; body = { ...body, sizePt: body.sizePt - 1 }) {
    const name = { ...NAME, sizePt: body.sizePt + 1 };
    const names = linesOf(party.name, PARTY_WIDTH, name);
    const rest = [...party.address, `Tax number ${party.taxNumber}`, ...emailLines(party.email, body)].map(
      (line) => linesOf(line, PARTY_WIDTH, body),
    );
    const height = names.length * lineHeight(name) + rest.flat().length * lineHeight(body);
    if (height <= MOST_HEIGHT || body.sizePt <= SMALLEST_PT) return { names, rest, name, body };
  }
}

function drawParty(
  canvas: Canvas,
  label: string,
  party: Party,
  { x, y }: { readonly x: number; readonly y: number },
): number {
  const { names, rest, name, body } = linesOfParty(party);
  let bottom = y;
  canvas.tagged('H2', () => {
    bottom = writeLines(canvas, [label], { x, y: bottom }, LABEL);
  });
  canvas.tagged('P', () => {
    bottom = writeLines(canvas, names, { x, y: bottom }, name);
  });
  bottom += 0.8;
  for (const lines of rest) {
    canvas.tagged('P', () => {
      bottom = writeLines(canvas, lines, { x, y: bottom }, body);
    });
  }
  return bottom;
}

/** Breaks a long email address before its `@`. */
function emailLines(email: string, style: Style): string[] {
  return textWidth(email, style) <= PARTY_WIDTH ? [email] : email.split(/(?=@)/);
}

function detailsOf(document: FinancialDocument): Field[] {
  const { kind, number, issuedAt, invoice, organisationId, statement, replaces } = document;
  return [
    [`${TITLES[kind]} number`, number],
    [kind === 'INVOICE' ? 'Date of issue and supply' : 'Date of issue', dayText(issuedAt)],
    ...(invoice === undefined ? [] : ([['Tax invoice', invoice]] as const)),
    ...(statement === undefined ? [] : ([['Month', monthText(statement.month)]] as const)),
    ...(replaces === undefined ? [] : ([['Replaces', replaces]] as const)),
    ['Customer', organisationId],
    ['Currency', 'Nigerian naira (NGN)'],
  ];
}
