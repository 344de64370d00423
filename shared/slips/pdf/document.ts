import { PDFDocument, PDFHexString, PDFName, type PDFRef } from 'pdf-lib';
import type { Canvas } from './canvas.ts';
import { embedFont } from './embed-font.ts';
import { type Gradient, PAGE_HEIGHT_MM, PAGE_WIDTH_MM, PT_PER_MM } from './geometry.ts';
import { addStream } from './stream.ts';
import type { StructureNode } from './structure.ts';

/** Writes one drawn page as a PDF file. Uses no randomness and no clock, so the same input gives the same bytes. */

export interface DocumentFacts {
  readonly title: string;
  readonly language: string;
  readonly generatedAt: Date;
  /** Images by their name in the page's operators. */
  readonly images: Readonly<Record<string, PDFRef>>;
}

const PRODUCER = 'Identity verification service';

/** Adds the structure tree. `parents` maps the number of each leaf to its element. */
function addStructure(document: PDFDocument, canvas: Canvas, page: PDFRef): PDFRef {
  const { context } = document;
  const parents: PDFRef[] = [];
  const add = (node: StructureNode, parent: PDFRef): PDFRef => {
    const own = context.nextRef();
    const children = node.children.map((child) => {
      if (typeof child !== 'number') return add(child, own);
      parents[child] = own;
      return child;
    });
    const alt = node.alt === undefined ? {} : { Alt: PDFHexString.fromText(node.alt) };
    context.assign(
      own,
      context.obj({ Type: 'StructElem', S: node.role, P: parent, Pg: page, K: children, ...alt }),
    );
    return own;
  };
  const root = context.nextRef();
  const top = add(canvas.structure.root, root);
  const parentTree = context.register(context.obj({ Nums: [0, parents] }));
  context.assign(
    root,
    context.obj({ Type: 'StructTreeRoot', K: [top], ParentTree: parentTree, ParentTreeNextKey: 1 }),
  );
  return root;
}

function addGradient({ context }: PDFDocument, { from, to, axis }: Gradient): PDFRef {
  const interpolation = { FunctionType: 2, Domain: [0, 1], C0: [...from], C1: [...to], N: 1 };
  const shading = { ShadingType: 2, ColorSpace: 'DeviceRGB', Coords: [...axis], Function: interpolation };
  return context.register(context.obj({ ...shading, Extend: [true, true] }));
}

function setMetadata(document: PDFDocument, { title, language, generatedAt }: DocumentFacts): void {
  document.setTitle(title, { showInWindowTitleBar: true });
  document.setLanguage(language);
  document.setProducer(PRODUCER);
  document.setCreator(PRODUCER);
  document.setCreationDate(generatedAt);
  document.setModificationDate(generatedAt);
}

/** Returns the finished file. Its metadata contains no identity data. */
export async function writeDocument(
  document: PDFDocument,
  canvas: Canvas,
  facts: DocumentFacts,
): Promise<Uint8Array> {
  const { context, catalog } = document;
  const page = document.addPage([PAGE_WIDTH_MM * PT_PER_MM, PAGE_HEIGHT_MM * PT_PER_MM]);
  const content = addStream(document, Buffer.from(canvas.content(), 'latin1'));
  const fonts = Object.fromEntries(
    [...canvas.fonts].map(([font, codes]) => [
      font.data.name.replaceAll('-', ''),
      embedFont(document, font, codes),
    ]),
  );
  const shadings = Object.fromEntries(
    [...canvas.gradients].map(([name, gradient]) => [name, addGradient(document, gradient)]),
  );
  page.node.set(PDFName.of('Contents'), content);
  page.node.set(
    PDFName.of('Resources'),
    context.obj({ Font: fonts, XObject: { ...facts.images }, Shading: shadings }),
  );
  page.node.set(PDFName.of('StructParents'), context.obj(0));
  page.node.set(PDFName.of('Tabs'), PDFName.of('S'));
  catalog.set(PDFName.of('StructTreeRoot'), addStructure(document, canvas, page.ref));
  catalog.set(PDFName.of('MarkInfo'), context.obj({ Marked: true }));
  setMetadata(document, facts);
  // Write all objects in one batch: pdf-lib waits for a timer between batches.
  return document.save({
    useObjectStreams: false,
    addDefaultPage: false,
    objectsPerTick: Number.POSITIVE_INFINITY,
  });
}

export function emptyDocument(): Promise<PDFDocument> {
  return PDFDocument.create({ updateMetadata: false });
}
