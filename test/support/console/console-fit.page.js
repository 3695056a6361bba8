// Runs in the page: returns a line for each text that is cut off, sticks out of the window, has a letter a line, or lies on
// another text, and for each button or field that sticks out of its part of the page.
(() => {
  const SLACK = 1.5;
  const found = new Set();
  const wide = document.documentElement.clientWidth;
  const clips = (overflow) => overflow === 'hidden' || overflow === 'clip';
  const scrolls = (overflow) => overflow === 'auto' || overflow === 'scroll';
  // A text that is shortened on purpose ends in an ellipsis, or after a number of lines.
  const shortens = (style) =>
    style.textOverflow === 'ellipsis' || style.getPropertyValue('-webkit-line-clamp') !== 'none';
  const nameOf = (element) => `<${element.localName} ${element.className}>`;
  const saidBy = (text) =>
    `“${text.data.trim().slice(0, 40)}” of ${nameOf(text.parentElement)} in ${nameOf(text.parentElement.parentElement)}`;
  const lines = [];
  const sticksOut = (own, { left, right }) => right > own.right + SLACK || left < own.left - SLACK;
  // A part that scrolls to its end, such as the side of a viewer, must not scroll to the side, too. Regions that do, such as an
  // enlarged picture, can have the focus.
  const onlyScrollsDown = (box) => box.scrollHeight > box.clientHeight + SLACK && box.tabIndex < 0;

  /** Returns what is wrong at the sides of a box, or null. */
  function checkBox(box, style, { left, right, bottom }, isNearest) {
    const own = box.getBoundingClientRect();
    const isWider = sticksOut(own, { left, right });
    if (isWider && scrolls(style.overflowX) && onlyScrollsDown(box)) return `scrolls to the side in ${nameOf(box)}`;
    if (isWider && clips(style.overflowX)) return `cut off at the side by ${nameOf(box)}`;
    if (isWider && isNearest && !scrolls(style.overflowX)) return `wider than ${nameOf(box)}`;
    if (clips(style.overflowY) && bottom > own.bottom + SLACK) return `cut off at the bottom by ${nameOf(box)}`;
    return null;
  }

  function check(text, rects) {
    const ends = {
      left: Math.min(...rects.map((rect) => rect.left)),
      right: Math.max(...rects.map((rect) => rect.right)),
      bottom: Math.max(...rects.map((rect) => rect.bottom)),
    };
    let isInFlow = true;
    let isNearest = true;
    for (let box = text.parentElement; box; box = box.parentElement) {
      const style = getComputedStyle(box);
      if (shortens(style) || box.matches('.only-read')) return;
      if (['fixed', 'sticky', 'absolute'].includes(style.position)) isInFlow = false;
      // Hidden from eyes, and there for screen readers.
      if (style.clipPath === 'inset(50%)') return;
      if (['inline', 'contents'].includes(style.display)) continue;
      const wrong = checkBox(box, style, ends, isNearest);
      isNearest = false;
      if (wrong) return void found.add(`${wrong}: ${saidBy(text)}`);
      const own = box.getBoundingClientRect();
      if (scrolls(style.overflowX) && sticksOut(own, ends)) return;
      if (scrolls(style.overflowY) && ends.bottom > own.bottom + SLACK) return;
    }
    if (ends.right > wide + SLACK || ends.left < -SLACK) found.add(`out of the window: ${saidBy(text)}`);
    if (isInFlow) lines.push(...rects.map(({ left, right, top, bottom }) => ({ left, right, top, bottom, text })));
  }

  function checkLetters(text, rects) {
    const size = Number.parseFloat(getComputedStyle(text.parentElement).fontSize);
    if (rects.length > 2 && rects.every(({ width }) => width < 1.6 * size))
      found.add(`a letter a line: ${saidBy(text)}`);
  }

  function checkControl(control) {
    const ends = control.getBoundingClientRect();
    for (let box = control.parentElement; box && !box.matches(':modal'); box = box.parentElement) {
      const style = getComputedStyle(box);
      if (box.matches('.only-read')) return;
      if (!sticksOut(box.getBoundingClientRect(), ends)) continue;
      // Buttons of a row stay in sight while its table scrolls.
      if (scrolls(style.overflowX) && !onlyScrollsDown(box) && !control.closest('td[class*="_acts_"]')) return;
      if (scrolls(style.overflowX) || box.matches('fieldset, form, section, td, body'))
        return void found.add(`sticks out of ${nameOf(box)}: ${nameOf(control)} ${control.ariaLabel ?? ''}`);
    }
    if (ends.right > wide + SLACK || ends.left < -SLACK)
      found.add(`out of the window: ${nameOf(control)} ${control.ariaLabel ?? ''}`);
  }

  function checkOverlaps() {
    lines.sort((a, b) => a.top - b.top);
    for (const [index, line] of lines.entries())
      for (let next = index + 1; next < lines.length && lines[next].top < line.bottom; next += 1) {
        const other = lines[next];
        if (other.text.parentElement === line.text.parentElement) continue;
        const across = Math.min(line.right, other.right) - Math.max(line.left, other.left);
        const down = Math.min(line.bottom, other.bottom) - other.top;
        // Lines are higher than their letters, so those of neighbors may touch.
        const least = 0.45 * Math.min(line.bottom - line.top, other.bottom - other.top);
        if (across > 3 && down > least) found.add(`on one another: ${saidBy(line.text)} and ${saidBy(other.text)}`);
      }
  }

  const scrolled = document.documentElement.scrollWidth;
  if (scrolled > wide) found.add(`the page is ${scrolled} px wide`);
  // The page behind a modal dialog is covered, and other visits measure it.
  const place = document.querySelector(':modal') ?? document.body;
  const walker = document.createTreeWalker(place, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  while (walker.nextNode()) {
    const text = walker.currentNode;
    const owner = text.parentElement;
    if (text.data.trim() === '' || owner.closest('script, style, svg, textarea, select, canvas')) continue;
    if (!owner.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    range.selectNodeContents(text);
    const rects = [...range.getClientRects()].filter(({ width, height }) => width > 1 && height > 1);
    if (rects.length > 0) check(text, rects);
    if (rects.length > 0) checkLetters(text, rects);
  }
  for (const control of place.querySelectorAll('button, input, select, textarea'))
    if (control.checkVisibility({ opacityProperty: true, visibilityProperty: true })) checkControl(control);
  checkOverlaps();
  return [...found];
})();
