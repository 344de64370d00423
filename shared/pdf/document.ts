import { PDFDocument, PDFHexString, PDFName, type PDFRef } from 'pdf-lib';
import type { Canvas } from './canvas.ts';
import { embedFont } from './embed-font.ts';
import { type Gradient, PAGE_HEIGHT_MM, PAGE_WIDTH_MM, PT_PER_MM } from './geometry.ts';
import { addStream } from './stream.ts';
import type { StructureNode } from './structure.ts';

/** No randomness and no clock: the same input gives the same bytes. */

interface DocumentFacts {
  readonly title: string;
  readonly language: string;
  readonly generatedAt: Date;
  /** By resource name, the same on all pages. */
  readonly images: Readonly<Record<string, PDFRef>>;
}

const PRODUCER = 'Identity verification service';

/** For screen readers. */
const COLUMN_HEADER = { A: { O: 'Table', Scope: 'Column' } };

/** Of one page: those at the top level, and each leaf's by its number. */
function addElements({ context }: PDFDocument, canvas: Canvas, page: PDFRef, parent: PDFRef) {
  const leaves: PDFRef[] = [];
  const add = (node: StructureNode, under: PDFRef): PDFRef => {
    const own = context.nextRef();
    const children = node.children.map((child) => {
      if (typeof child !== 'number') return add(child, own);
      leaves[child] = own;
      return child;
    });
    const alt = node.alt === undefined ? {} : { Alt: PDFHexString.fromText(node.alt) };
    const header = node.role === 'TH' ? COLUMN_HEADER : {};
    context.assign(
      own,
      context.obj({
        Type: 'StructElem',
        S: node.role,
        P: under,
        Pg: page,
        K: children,
        ...alt,
        ...header,
      }),
    );
    return own;
  };
  const elements = canvas.structure.root.children.flatMap((child) =>
    typeof child === 'number' ? [] : [add(child, parent)],
  );
  return { elements, leaves };
}

/** The parent tree has an entry for each page, by its index. */
function addStructure(
  document: PDFDocument,
  pages: readonly { readonly canvas: Canvas; readonly ref: PDFRef }[],
): PDFRef {
  const { context } = document;
  const [root, top] = [context.nextRef(), context.nextRef()];
  const added = pages.map(({ canvas, ref }) => addElements(document, canvas, ref, top));
  const elements = added.flatMap((page) => page.elements);
  context.assign(top, context.obj({ Type: 'StructElem', S: 'Document', P: root, K: elements }));
  const parentTree = context.register(context.obj({ Nums: added.flatMap(({ leaves }, at) => [at, leaves]) }));
  context.assign(
    root,
    context.obj({
      Type: 'StructTreeRoot',
      K: [top],
      ParentTree: parentTree,
      ParentTreeNextKey: pages.length,
    }),
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

function addPage(document: PDFDocument, canvas: Canvas, index: number, resources: PageResources): PDFRef {
  const { context } = document;
  const page = document.addPage([PAGE_WIDTH_MM * PT_PER_MM, PAGE_HEIGHT_MM * PT_PER_MM]);
  const shadings = Object.fromEntries(
    [...canvas.gradients].map(([name, gradient]) => [name, addGradient(document, gradient)]),
  );
  page.node.set(PDFName.of('Contents'), addStream(document, Buffer.from(canvas.content(), 'latin1')));
  page.node.set(PDFName.of('Resources'), context.obj({ ...resources, Shading: shadings }));
  page.node.set(PDFName.of('StructParents'), context.obj(index));
  page.node.set(PDFName.of('Tabs'), PDFName.of('S'));
  return page.ref;
}

interface PageResources {
  readonly Font: Record<string, PDFRef>;
  readonly XObject: Record<string, PDFRef>;
}

/** All canvases share their `fonts`. The metadata of slips contains no identity data. */
export async function writeDocument(
  document: PDFDocument,
  canvases: readonly Canvas[],
  facts: DocumentFacts,
): Promise<Uint8Array> {
  const { context, catalog } = document;
  const fonts = new Map(canvases.flatMap((canvas) => [...canvas.fonts]));
  const resources = {
    Font: Object.fromEntries(
      [...fonts].map(([font, codes]) => [
        font.data.name.replaceAll('-', ''),
        embedFont(document, font, codes),
      ]),
    ),
    XObject: { ...facts.images },
  };
  const pages = canvases.map((canvas, index) => ({
    canvas,
    ref: addPage(document, canvas, index, resources),
  }));
  catalog.set(PDFName.of('StructTreeRoot'), addStructure(document, pages));
  catalog.set(PDFName.of('MarkInfo'), context.obj({ Marked: true }));
  setMetadata(document, facts);
  // In one batch: pdf-lib waits for a timer between batches.
  return document.save({
    useObjectStreams: false,
    addDefaultPage: false,
    objectsPerTick: Number.POSITIVE_INFINITY,
  });
}

export function emptyDocument(): Promise<PDFDocument> {
  return PDFDocument.create({ updateMetadata: false });
}
