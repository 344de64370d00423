import { options, type VNode } from 'preact';

/**
 * Gives every text an element of its own, whose content is set as a whole.
 *
 * Translators and extensions replace text nodes. Preact would go on changing the node that it created, which is no
 * longer on the page, so that the page would show an old price or role. Components must read signals with `.value`,
 * because a signal among the children changes the text node.
 */
export function surviveReplacedTexts(): void {
  // Preact calls this for each node that it creates. cspell:ignore vnode
  options.vnode = (node) => {
    if (typeof node.type === 'string') setWholeText(node);
    else if (node.type === null) wrapText(node);
  };
}

/** An element that contains only text needs no further element. */
function setWholeText(node: VNode): void {
  const { children: given, ...props } = node.props;
  const children = [given].flat().filter((child) => child != null && typeof child !== 'boolean');
  if (children.length === 0 || children.some((child) => typeof child === 'object')) return;
  Object.assign(node, { props: { ...props, textContent: children.join('') } });
}

/** The properties of Preact's node for a text are the text itself. Between elements, it may be only a space. */
function wrapText(node: VNode): void {
  const text = String(node.props);
  if (text.trim()) Object.assign(node, { type: 'span', props: { textContent: text } });
}
