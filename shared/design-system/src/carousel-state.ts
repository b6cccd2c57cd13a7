/** Which slide a carousel shows, and what keeps it from turning by itself. */
export interface CarouselState {
  index: number;
  count: number;
  /** Whether the visitor has stopped it with its button. */
  isPaused: boolean;
  isHovered: boolean;
  isFocused: boolean;
  /** The neighbour that a finger is pulling into view. */
  dragged: Neighbour | undefined;
}

export type Neighbour = 'next' | 'back';

export type CarouselEvent =
  | { type: 'wentNext' | 'wentBack' | 'pauseToggled' }
  | { type: 'wentTo'; index: number }
  | { type: 'dragged'; toward: Neighbour | undefined }
  | { type: 'hovered' | 'focused'; is: boolean };

/** How far a finger has to move sideways to turn to another slide. */
const SWIPE_PX = 40;

/** The state of a carousel that shows its first slide. */
export function startCarousel(count: number): CarouselState {
  return { index: 0, count, isPaused: false, isHovered: false, isFocused: false, dragged: undefined };
}

/** The state after an event. After the last slide comes the first, and the other way round. */
export function carouselReducer(state: CarouselState, event: CarouselEvent): CarouselState {
  const { index, count } = state;

  switch (event.type) {
    case 'wentNext':
      return { ...state, index: (index + 1) % count };
    case 'wentBack':
      return { ...state, index: (index - 1 + count) % count };
    case 'wentTo':
      return { ...state, index: Math.min(Math.max(event.index, 0), count - 1) };
    case 'pauseToggled':
      return { ...state, isPaused: !state.isPaused };
    case 'dragged':
      return event.toward === state.dragged ? state : { ...state, dragged: event.toward };
    case 'hovered':
      return { ...state, isHovered: event.is };
    case 'focused':
      return { ...state, isFocused: event.is };
  }
}

/**
 * Whether the carousel turns by itself now.
 * @param wantsStillness whether the visitor prefers reduced motion
 */
export function isTurning(state: CarouselState, wantsStillness: boolean): boolean {
  const isHeld = state.isPaused || state.isHovered || state.isFocused || state.dragged !== undefined;
  return !wantsStillness && !isHeld && state.count > 1;
}

/**
 * On which side of the visible slide another slide is. The slides are a ring, so the last slide is before the first.
 * With only two slides, the other one is on the side that the finger pulls into view.
 * @returns `here` for the visible slide, `away` for slides that are not its neighbours
 */
export function sideOf(slide: number, { index, count, dragged }: CarouselState): 'here' | 'away' | Neighbour {
  const distance = (slide - index + count) % count;
  if (distance === 0) return 'here';
  if (distance === 1 && (count > 2 || dragged !== 'back')) return 'next';

  return distance === count - 1 ? 'back' : 'away';
}

/**
 * The event of a swipe between two points, in CSS pixels. Undefined when the movement was short, or more vertical than
 * horizontal.
 */
export function swipe(from: { x: number; y: number }, to: { x: number; y: number }): CarouselEvent | undefined {
  const across = to.x - from.x;
  const along = to.y - from.y;
  if (Math.abs(across) < SWIPE_PX || Math.abs(across) < Math.abs(along)) return undefined;

  return { type: across < 0 ? 'wentNext' : 'wentBack' };
}

/**
 * The event of a pressed key. Undefined for keys that the carousel does not use: up and down scroll the page, but not on
 * a radio button.
 */
export function eventOfKey(key: string, isOnRadio: boolean): CarouselEvent | undefined {
  if (key === 'ArrowRight' || (isOnRadio && key === 'ArrowDown')) return { type: 'wentNext' };
  if (key === 'ArrowLeft' || (isOnRadio && key === 'ArrowUp')) return { type: 'wentBack' };

  return undefined;
}
