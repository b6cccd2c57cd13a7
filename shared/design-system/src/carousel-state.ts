/** Where a carousel stands, and what keeps it from going on by itself. */
export interface CarouselState {
  index: number;
  count: number;
  /** Stopped by its button, until that is pressed again. */
  isPaused: boolean;
  isHovered: boolean;
  isFocused: boolean;
}

export type CarouselEvent =
  | { type: 'wentNext' | 'wentBack' | 'pauseToggled' }
  | { type: 'wentTo'; index: number }
  | { type: 'hovered' | 'focused'; is: boolean };

/** How far a finger has to travel sideways to turn the page. */
export const SWIPE_PX = 40;

export function startCarousel(count: number): CarouselState {
  return { index: 0, count, isPaused: false, isHovered: false, isFocused: false };
}

export function carouselAfter(state: CarouselState, event: CarouselEvent): CarouselState {
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
    case 'hovered':
      return { ...state, isHovered: event.is };
    case 'focused':
      return { ...state, isFocused: event.is };
  }
}

export function isTurning(state: CarouselState, wantsStillness: boolean): boolean {
  return !wantsStillness && !state.isPaused && !state.isHovered && !state.isFocused && state.count > 1;
}

/** What a finger that travelled from one place to another meant: sideways turns, up and down scrolls. */
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
