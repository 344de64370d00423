const CODE_BLOCK = /(^ *```[\s\S]*?^ *```)/m;
const CODE = /(`[^`]*`)/;
/** Starts neither a comment nor an element of our pages. */
const LESS_THAN = /<(?!!--|\/?(?:a|img|br)\b)/g;

export function outsideCodeBlocks(markdown: string, change: (text: string) => string): string {
  return mapEven(markdown.split(CODE_BLOCK), change).join('');
}

/** VitePress would read placeholders such as `<TYPE>` as elements. */
export function escaped(text: string): string {
  return mapEven(text.split(CODE), (part) => part.replace(LESS_THAN, '&lt;')).join('');
}

/** `split` with a group returns the separators at the odd positions. */
function mapEven(parts: readonly string[], change: (text: string) => string): string[] {
  return parts.map((part, index) => (index % 2 === 0 ? change(part) : part));
}

/** As GitHub creates it, so that links work in both places. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}
