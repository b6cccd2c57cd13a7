/** Which slide a carousel shows, and what keeps it from going on by itself. */
export interface CarouselState {
  index: number;
  count: number;
  /** Stopped by its button, until that is pressed again. */
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

export function startCarousel(count: number): CarouselState {
  return { index: 0, count, isPaused: false, isHovered: false, isFocused: false, dragged: undefined };
}

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

export function isTurning(state: CarouselState, wantsStillness: boolean): boolean {
  const isHeld = state.isPaused || state.isHovered || state.isFocused || state.dragged !== undefined;
  return !wantsStillness && !isHeld && state.count > 1;
}

/**
 * On which side of the shown slide another one lies. The slides are a ring: the last is the one before the first.
 * With two slides, the other one lies where the finger pulls.
 * @returns `away` for slides that are no neighbours
 */
export function sideOf(slide: number, { index, count, dragged }: CarouselState): 'here' | 'away' | Neighbour {
  const distance = (slide - index + count) % count;
  if (distance === 0) return 'here';
  if (distance === 1 && (count > 2 || dragged !== 'back')) return 'next';

  return distance === count - 1 ? 'back' : 'away';
}

/** What a finger that moved from one place to another meant: sideways turns, up and down scrolls. In CSS pixels. */
export function swipe(from: { x: number; y: number }, to: { x: number; y: number }): CarouselEvent | undefined {
  const across = to.x - from.x;
  const along = to.y - from.y;
  if (Math.abs(across) < SWIPE_PX || Math.abs(across) < Math.abs(along)) return undefined;

  return { type: across < 0 ? 'wentNext' : 'wentBack' };
}

/** What a key means anywhere in the carousel. */
export function eventOfKey(key: string): CarouselEvent | undefined {
  if (key === 'ArrowRight') return { type: 'wentNext' };
  if (key === 'ArrowLeft') return { type: 'wentBack' };

  return undefined;
}
