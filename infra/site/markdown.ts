/** Adapts Markdown that VitePress reads differently from GitHub. */

const CODE_BLOCK = /(^ *```[\s\S]*?^ *```)/m;
const CODE = /(`[^`]*`)/;
/** A `<` that starts neither a comment nor an element that our pages use. */
const LESS_THAN = /<(?!!--|\/?(?:a|img|br)\b)/g;

/** Returns the Markdown after applying `change` to the text outside code blocks. */
export function outsideCodeBlocks(markdown: string, change: (text: string) => string): string {
  return mapEven(markdown.split(CODE_BLOCK), change).join('');
}

/** Escapes placeholders such as `<TYPE>` outside code. VitePress would read them as elements without a closing tag. */
export function escaped(text: string): string {
  return mapEven(text.split(CODE), (part) => part.replace(LESS_THAN, '&lt;')).join('');
}

/** Changes the parts at even positions. At the odd positions, `split` with a group returns the separators. */
function mapEven(parts: readonly string[], change: (text: string) => string): string[] {
  return parts.map((part, index) => (index % 2 === 0 ? change(part) : part));
}

/**
 * Returns the anchor of a heading as GitHub creates it, so that the same links work in the repository and on the site.
 */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}
