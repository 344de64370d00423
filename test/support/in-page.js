/** Runs in the page of a browser test. It is JavaScript because the tests do not have the DOM types. */

// Browsers print only some violations of the content security policy. page-checks.ts reports everything that is printed
// as an error.
addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile }) => {
  console.error(`content security policy: ${violatedDirective} ${blockedURI} ${sourceFile}`);
});

/**
 * Replaces every text node, as a translator does. The words stay the same, so that tests can compare them.
 */
globalThis.translate = () => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const texts = [];
  while (walker.nextNode()) texts.push(walker.currentNode);
  for (const text of texts.filter(({ data }) => data.trim())) {
    const outer = document.createElement('font');
    const inner = document.createElement('font');
    inner.textContent = text.data;
    outer.append(inner);
    text.replaceWith(outer);
  }
  return texts.length;
};

/** Returns the layout problems at the current window size. */
globalThis.layoutProblems = () => {
  // When the page is scrolled down, its content lies behind its header. cspell:ignore behavior
  scrollTo({ top: 0, behavior: 'instant' });
  const width = document.documentElement.clientWidth;
  const texts = visibleTexts();
  return [
    ...(document.documentElement.scrollWidth > width ? ['the page scrolls sideways'] : []),
    ...(width < PHONE_PX ? scrollingTables() : []).map((table) => `table scrolls sideways: ${nameOf(table)}`),
    ...texts.filter(isCutOff).map((element) => `cut off: ${nameOf(element)}`),
    ...[...document.querySelectorAll('select')]
      .filter(isChoiceCutOff)
      .map(({ name }) => `cut off: the choice of ${name}`),
    ...texts.filter(hasBrokenWord).map((element) => `broken word: ${nameOf(element)}`),
    ...overlaps(
      texts.filter((element) => !isOffScreen(element, width) && !scrolls(element)),
      width,
    ),
  ];
};

/**
 * The later entries of long lists, whose elements are like those of the first ones. axe takes 20 ms for each of them.
 */
const LATER_ENTRIES = ':is(tbody tr, li):nth-child(n + 21)';

/** Returns the violations that axe finds, one line for each element. */
globalThis.violations = async (runOnly) => {
  const { violations } = await globalThis.axe.run({ exclude: [LATER_ENTRIES] }, { runOnly });
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
};

/** Returns the controls that are hard to hit with a finger. */
globalThis.smallTargets = () =>
  [...document.querySelectorAll('a[href], button, input, select, textarea, summary')]
    .filter((element) => element.checkVisibility({ visibilityProperty: true }) && !isInText(element))
    .map((element) => ({ element, box: targetOf(element).getBoundingClientRect() }))
    .filter(({ box }) => box.width > 1 && (box.width < TARGET_PX || box.height < TARGET_PX))
    .map(
      ({ element, box }) => `${nameOf(element)} has ${Math.round(box.width)} × ${Math.round(box.height)} px`,
    );

/** A little less than 44, because of fractions of a pixel. */
const TARGET_PX = 43.5;

/** The label of a checkbox or radio button is a target too. */
function targetOf(element) {
  const label = /^(checkbox|radio)$/.test(element.type) ? element.closest('label') : null;
  return label ?? element;
}

function isInText(element) {
  const { tagName, parentElement } = element;
  if (tagName !== 'A' || !/^(P|LI|DD|TD|SPAN)$/.test(parentElement.tagName)) return false;
  // The console puts each text next to an element into a span.
  return (
    hasOwnText(parentElement) || [...parentElement.children].some((one) => one.matches('span:not([class])'))
  );
}

/** In windows at least this wide, tables may scroll sideways: the table of all codes is wide. */
const PHONE_PX = 640;

function scrollingTables() {
  return [...document.querySelectorAll('.table')].filter(
    ({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1,
  );
}

function visibleTexts() {
  return [...document.body.querySelectorAll('*')].filter(
    (element) =>
      hasOwnText(element) &&
      !element.closest('.visually-hidden, .VPSkipLink, .hidden') &&
      element.checkVisibility({ opacityProperty: true, visibilityProperty: true }),
  );
}

function hasOwnText(element) {
  return [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent.trim());
}

function nameOf(element) {
  return `${element.tagName.toLowerCase()} "${element.textContent.trim().slice(0, 40)}"`;
}

/** Whether the element or an ancestor scrolls, so that its content can be reached. */
function scrolls(element) {
  if (!element || element === document.body) return false;
  return /auto|scroll/.test(getComputedStyle(element).overflowX) || scrolls(element.parentElement);
}

function isCutOff(element) {
  const { overflowX, display } = getComputedStyle(element);
  return (
    display !== 'inline' && /hidden|clip/.test(overflowX) && element.scrollWidth > element.clientWidth + 1
  );
}

/** Whether the chosen text of a list does not fit into it. */
function isChoiceCutOff(select) {
  if (!select.checkVisibility()) return false;
  const copy = select.cloneNode();
  copy.append(...[...select.selectedOptions].map((option) => option.cloneNode(true)));
  copy.style.position = 'absolute';
  copy.style.width = 'max-content';
  select.after(copy);
  const { width } = copy.getBoundingClientRect();
  copy.remove();
  return width > select.getBoundingClientRect().width + 1;
}

/** Whether a line breaks inside a word on a button. */
function hasBrokenWord(element) {
  if (!element.closest('button, .button') || element.matches('.name')) return false;
  const nodes = [...element.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE);
  return nodes.some((node) => [...node.textContent.matchAll(/\S+/g)].some((word) => isBroken(node, word)));
}

function isBroken(node, { index, 0: word }) {
  const range = document.createRange();
  range.setStart(node, index);
  range.setEnd(node, index + word.length);
  return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1;
}

/** A closed menu lies outside the window. */
function isOffScreen(element, width) {
  const { left, right } = element.getBoundingClientRect();
  return right <= 0 || left >= width;
}

const MARGIN_PX = 3;

function overlaps(elements, width) {
  const boxes = elements
    .map((element) => ({ element, box: element.getBoundingClientRect() }))
    .sort((a, b) => a.box.top - b.box.top);
  const beyond = boxes.filter(({ box }) => box.right > width + 1 || box.left < -1);
  // Long lists contain thousands of pieces of text: only those at the same height are compared.
  const pairs = boxes.flatMap((a, index) => {
    const below = boxes.slice(index + 1);
    const end = below.findIndex(({ box }) => box.top >= a.box.bottom);
    return (end < 0 ? below : below.slice(0, end)).map((b) => [a, b]);
  });
  return [
    ...beyond.map(({ element }) => `beyond the window: ${nameOf(element)}`),
    ...pairs
      .filter(([a, b]) => overlap(a, b))
      .map(([a, b]) => `overlap: ${nameOf(a.element)} and ${nameOf(b.element)}`),
  ];
}

/** A line may contain elements, such as links: only blocks that do not contain each other can overlap. */
function overlap(a, b) {
  return (
    Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left) > MARGIN_PX &&
    Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top) > MARGIN_PX &&
    !a.element.contains(b.element) &&
    !b.element.contains(a.element) &&
    [a, b].every(({ element }) => getComputedStyle(element).display !== 'inline')
  );
}
