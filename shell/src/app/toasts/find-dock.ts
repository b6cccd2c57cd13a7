/** Where a docked line may not lie: over a heading, or over the line that says how far a run is. */
const KEPT_CLEAR = 'main :is(h1, h2, h3), [data-run-strip]';

/** The usual place of a docked line, in pixels from the top of the window: across the lower edge of the navbar. */
export const DOCK = 60;

/** The height of a docked line in toasts.css, in pixels. */
const LINE = 22;

/** The first height from the navbar downwards at which a docked line covers nothing that has to stay clear. */
export function findDock(): number {
  const boxes = [...document.querySelectorAll(KEPT_CLEAR)].map((one) => one.getBoundingClientRect());
  let dock = DOCK;
  for (const { top, bottom, height } of boxes.sort((a, b) => a.top - b.top))
    if (height > 0 && top < dock + LINE && bottom > dock) dock = bottom;

  return dock;
}
