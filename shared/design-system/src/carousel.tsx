import { type PointerEvent, type ReactNode, useEffect, useId, useReducer, useRef } from 'react';
import css from './carousel.module.css';
import { Icon } from './icon.tsx';
import { useReducedMotion } from './use-reduced-motion.tsx';
import { t } from './words.ts';

const AUTOPLAY_INTERVAL_MS = 5000;

interface CarouselProps {
  label: string;
  /** At most three: the stylesheet counts them. */
  slides: readonly { id: string; caption: string; content: ReactNode }[];
}

/**
 * Slides that turn by themselves. They stop while the mouse is over them, while they have the focus, during a drag, and
 * after a click on the pause button. A finger or the mouse can drag a slide; after a short drag it moves back. The
 * captions are radio buttons, by which the stylesheet shows a slide, so they work before the page does.
 */
export function Carousel({ label, slides }: CarouselProps) {
  const [state, dispatch] = useReducer(carouselReducer, slides.length, startCarousel);
  const root = useRef<HTMLElement>(null);
  const track = useRef<HTMLDivElement>(null);
  const name = useId();
  const turning = isTurning(state, useReducedMotion());
  const { index, isPaused, dragged } = state;

  const drag = useDrag({
    onDrag(across) {
      track.current?.style.setProperty('--drag', `${across}px`);
      dispatch({ type: 'dragged', toward: across < 0 ? 'next' : 'back' });
    },
    onDragEnd(from, to) {
      const meant = to && swipe(from, to);
      track.current?.style.removeProperty('--drag');
      dispatch({ type: 'dragged', toward: undefined });
      if (meant) dispatch(meant);
    },
  });

  // A caption that got the focus before the page worked has told no event.
  useEffect(() => dispatch({ type: 'focused', is: root.current!.matches(':focus-within') }), []);

  useEffect(() => {
    if (!turning) return;

    const timer = setTimeout(() => dispatch({ type: 'wentNext' }), AUTOPLAY_INTERVAL_MS);
    return () => clearTimeout(timer);
  }, [turning, index]);

  const buttons = [
    isPaused
      ? ({ type: 'pauseToggled', label: t('carousel.start'), icon: 'play' } as const)
      : ({ type: 'pauseToggled', label: t('carousel.stop'), icon: 'pause' } as const),
    { type: 'wentBack', label: t('carousel.back'), icon: 'chevron' } as const,
    { type: 'wentNext', label: t('carousel.next'), icon: 'chevron' } as const,
  ];

  return (
    <section
      ref={root}
      className={css.carousel}
      aria-roledescription={t('carousel.role')}
      aria-label={label}
      onPointerEnter={({ pointerType }) => pointerType === 'mouse' && dispatch({ type: 'hovered', is: true })}
      onPointerLeave={() => dispatch({ type: 'hovered', is: false })}
      onFocus={() => dispatch({ type: 'focused', is: true })}
      onBlur={({ currentTarget, relatedTarget }) =>
        currentTarget.contains(relatedTarget) || dispatch({ type: 'focused', is: false })
      }
      onKeyDown={(event) => {
        const isOnCaption = event.target instanceof HTMLInputElement;
        const meant = eventOfKey(event.key, isOnCaption);
        // With these two the browser goes back and forward.
        if (!meant || event.altKey || event.metaKey) return;

        // The radio buttons of WebKit do not go round.
        event.preventDefault();
        dispatch(meant);
        if (isOnCaption) event.currentTarget.querySelectorAll('input')[carouselReducer(state, meant).index]?.focus();
      }}
    >
      {slides.map(({ id }, at) => (
        <input
          key={id}
          id={`${name}-${id}`}
          type="radio"
          className={css.radio}
          name={name}
          value={id}
          checked={at === index}
          onChange={() => dispatch({ type: 'wentTo', index: at })}
        />
      ))}
      <div className={css.controls}>
        <div
          role="radiogroup"
          aria-label={label}
          aria-owns={slides.map(({ id }) => `${name}-${id}`).join(' ')}
          className={css.captions}
        >
          {slides.map(({ id, caption }) => (
            <label key={id} className={css.caption} htmlFor={`${name}-${id}`}>
              {caption}
            </label>
          ))}
        </div>
        <div className={css.buttons} data-needs-script>
          {buttons.map(({ type, label, icon }) => (
            <button
              key={type}
              type="button"
              className={css.control}
              data-does={type}
              aria-label={label}
              onClick={() => dispatch({ type })}
            >
              <Icon name={icon} />
            </button>
          ))}
        </div>
      </div>
      <div ref={track} className={css.slides} data-dragged={dragged} aria-live={turning ? 'off' : 'polite'} {...drag}>
        {slides.map(({ id, caption, content }, at) => (
          <div
            key={id}
            role="group"
            aria-roledescription={t('carousel.slide')}
            aria-label={t('carousel.place', { caption, number: at + 1, count: slides.length })}
            className={css.slide}
            data-side={sideOf(at, state)}
          >
            {content}
          </div>
        ))}
      </div>
    </section>
  );
}

interface Point {
  x: number;
  y: number;
}

interface DragHandlers {
  /** Called while the pointer moves, with its distance from the start in CSS pixels. Positive is to the right. */
  onDrag: (across: number) => void;
  /** Called once at the end. `to` is undefined when the browser has cancelled the pointer, for example to scroll. */
  onDragEnd: (from: Point, to: Point | undefined) => void;
}

/** A drag begins after this distance. A shorter movement may be a tap or the start of a scroll. */
const MIN_DRAG_PX = 6;

/** Handlers for an element that a finger or mouse drags sideways. Its style needs `touch-action: pan-y`. */
function useDrag({ onDrag, onDragEnd }: DragHandlers) {
  const start = useRef<Point & { isDragging: boolean }>(undefined);

  function move({ isPrimary, buttons, clientX, clientY, currentTarget, pointerId }: PointerEvent) {
    const from = start.current;
    if (!from || !isPrimary) return;

    // The button was released outside, before the drag began.
    if (buttons === 0) return void (start.current = undefined);

    const across = clientX - from.x;
    if (!from.isDragging) {
      if (Math.abs(across) < Math.max(MIN_DRAG_PX, Math.abs(clientY - from.y))) return;
      from.isDragging = true;
      // From here on, the element gets all events of the pointer, even outside its box.
      currentTarget.setPointerCapture(pointerId);
    }
    onDrag(across);
  }

  function end({ isPrimary }: PointerEvent, to: Point | undefined) {
    const from = start.current;
    if (!from || !isPrimary) return;

    start.current = undefined;
    onDragEnd(from, to);
  }

  return {
    onPointerDown({ isPrimary, button, clientX, clientY }: PointerEvent) {
      if (isPrimary && button === 0) start.current = { x: clientX, y: clientY, isDragging: false };
    },
    onPointerMove: move,
    onPointerUp: (event: PointerEvent) => end(event, { x: event.clientX, y: event.clientY }),
    onPointerCancel: (event: PointerEvent) => end(event, undefined),
  };
}

/** Which slide a carousel shows, and what keeps it from turning by itself. */
interface CarouselState {
  index: number;
  count: number;
  isPaused: boolean;
  isHovered: boolean;
  isFocused: boolean;
  /** The neighbour that a finger is pulling into view. */
  dragged: Neighbour | undefined;
}

type Neighbour = 'next' | 'back';

export type CarouselEvent =
  | { type: 'wentNext' | 'wentBack' | 'pauseToggled' }
  | { type: 'wentTo'; index: number }
  | { type: 'dragged'; toward: Neighbour | undefined }
  | { type: 'hovered' | 'focused'; is: boolean };

/** How far a finger has to move sideways to turn to another slide. */
const MIN_SWIPE_PX = 40;

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
  if (Math.abs(across) < MIN_SWIPE_PX || Math.abs(across) < Math.abs(along)) return undefined;

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
