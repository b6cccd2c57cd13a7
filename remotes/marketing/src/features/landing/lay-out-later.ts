/**
 * Lays out the sections of a column that a phone has left out so far, one in a frame: all at once would hold up whoever
 * presses something. What somebody reads stays in its place; browsers see to that only in part, and Safari not at all.
 * Who comes back gets all of them now, because the place that he left is measured from the top.
 * @returns a function that stops it; undefined when the server has not sent the column, so all of it is laid out
 */
export function layOutLater(column: HTMLElement): (() => void) | undefined {
  if (!('sent' in column.dataset)) return undefined;

  if (isHistoryNavigation()) delete column.dataset['sent'];
  const sections = [...column.querySelectorAll<HTMLElement>(':scope > section')];
  let frame = requestAnimationFrame(layOutNext);
  return () => cancelAnimationFrame(frame);

  function layOutNext() {
    const section = sections.find(isLeftOut);
    if (!section) return;

    const placeOfRead = findPlaceOfRead(column);
    const before = placeOfRead();
    section.style.contentVisibility = 'visible';
    const moved = placeOfRead() - before;
    if (moved !== 0) window.scrollBy({ top: moved, behavior: 'instant' });
    frame = requestAnimationFrame(layOutNext);
  }
}

/** Whether the back or forward button loaded this document. */
function isHistoryNavigation(): boolean {
  const [navigation] = performance.getEntriesByType('navigation');
  return navigation instanceof PerformanceNavigationTiming && navigation.type === 'back_forward';
}

function isLeftOut(section: HTMLElement): boolean {
  return getComputedStyle(section).contentVisibility === 'auto';
}

/** Finds what is in the middle of the screen. Returns what says how far below the top of the screen it is, in pixels. */
function findPlaceOfRead(column: HTMLElement): () => number {
  if (window.scrollY === 0) return () => 0;

  const inSight = document.elementsFromPoint(window.innerWidth / 2, window.innerHeight / 2);
  const read = inSight.find((element) => element !== column && column.contains(element));
  return () => read?.getBoundingClientRect().top ?? 0;
}
