/** What a visitor presses: no toast may lie over it. */
const CONTROLS = ':is(main, footer) :is(a, button, input, select, textarea, summary, label)';

/** What it covers only where there is no room elsewhere: headings, and the line that says how far a run is. */
const HEADINGS = 'main :is(h1, h2, h3), [data-run-strip]';

/** Where nothing else is free it lies over words; their letters show beside it, so a place without any comes first. */
const WORDS = 'main :is(p, li, label, summary, header span:not(:empty))';

/** How far below the navbar, or below what has to stay clear, a toast is docked, in pixels. */
const GAP = 8;

/** The usual place of a docked toast, from the top of the window. */
const DOCK_TOP = 64 + GAP;

const TOAST_HEIGHT_PX = 32;

/** Docks the toasts that lie below the navbar where they cover nothing that has to stay clear. */
export function positionToasts(): void {
  const dock =
    findDock(`${CONTROLS}, ${HEADINGS}, ${WORDS}`) ??
    findDock(`${CONTROLS}, ${HEADINGS}`) ??
    findDock(CONTROLS) ??
    DOCK_TOP;
  // Not of the root: all elements would get their styles anew.
  document.querySelector<HTMLElement>('.Toastify')?.style.setProperty('--dock', `${dock}px`);
}

/** The first height from the navbar downwards at which there is room, unless that is far down. */
function findDock(keptClear: string): number | undefined {
  const boxes = [...document.querySelectorAll(keptClear)].map((one) => one.getBoundingClientRect());
  let dock = DOCK_TOP;
  for (const { top, bottom, height } of boxes.sort((a, b) => a.top - b.top))
    if (height > 0 && top < dock + TOAST_HEIGHT_PX && bottom > dock) dock = bottom + GAP;

  return dock < innerHeight * (2 / 3) ? dock : undefined;
}
