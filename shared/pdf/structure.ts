/** For screen readers: roles whose leaves refer to marked content. */

type GroupRole = 'Sect' | 'L' | 'LI' | 'Table' | 'TR';
export type ContentRole = 'H1' | 'H2' | 'P' | 'Lbl' | 'LBody' | 'Figure' | 'TH' | 'TD';

export interface ContentMark {
  readonly role: string;
  /** The leaf's operators on the page (MCID). */
  readonly id: number;
}

export interface StructureNode {
  readonly role: string;
  readonly alt: string | undefined;
  readonly children: (StructureNode | number)[];
}

export class StructureTree {
  readonly root: StructureNode = { role: 'Document', alt: undefined, children: [] };
  #current = this.root;
  #marks = 0;

  /** Everything that `build` tags becomes a child. */
  group(role: GroupRole, build: () => void): void {
    const parent = this.#current;
    this.#current = { role, alt: undefined, children: [] };
    parent.children.push(this.#current);
    build();
    this.#current = parent;
  }

  /** Adds a leaf in reading order. */
  content(role: ContentRole, alt: string | undefined): ContentMark {
    const id = this.#marks;
    this.#marks += 1;
    this.#current.children.push({ role, alt, children: [id] });
    return { role, id };
  }

  get size(): number {
    return this.#marks;
  }
}
