/** Runs in the page of a browser test: JavaScript, because the types of the project are those of Node. */

/** What is wrong with the layout at the size of the window. */
globalThis.layoutProblems = () => {
  // Further down, the page scrolls behind its header.
  scrollTo({ top: 0, behavior: 'instant' });
  const width = document.documentElement.clientWidth;
  const texts = visibleTexts();
  return [
    ...(document.documentElement.scrollWidth > width ? ['the page scrolls sideways'] : []),
    ...(width < PHONE_PX ? scrollingTables() : []).map((table) => `table scrolls sideways: ${nameOf(table)}`),
    ...texts.filter(isCutOff).map((element) => `cut off: ${nameOf(element)}`),
    ...overlaps(
      texts.filter((element) => !isOffScreen(element, width) && !scrolls(element)),
      width,
    ),
  ];
};

/** What axe reports, one line for each element. */
globalThis.violations = async (tags) => {
  const { violations } = await globalThis.axe.run({ runOnly: tags });
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
};

/** On a wide window, the table of all codes may scroll. */
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
      !element.closest('.visually-hidden, .VPSkipLink') &&
      element.checkVisibility({ opacityProperty: true, visibilityProperty: true }),
  );
}

function hasOwnText(element) {
  return [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent.trim());
}

function nameOf(element) {
  return `${element.tagName.toLowerCase()} "${element.textContent.trim().slice(0, 40)}"`;
}

/** Whether the element, or one around it, scrolls: its content can be reached. */
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

/** A closed menu waits next to the window. */
function isOffScreen(element, width) {
  const { left, right } = element.getBoundingClientRect();
  return right <= 0 || left >= width;
}

const MARGIN_PX = 3;

function overlaps(elements, width) {
  const boxes = elements.map((element) => ({ element, box: element.getBoundingClientRect() }));
  const beyond = boxes.filter(({ box }) => box.right > width + 1 || box.left < -1);
  const pairs = boxes.flatMap((a, index) => boxes.slice(index + 1).map((b) => [a, b]));
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
