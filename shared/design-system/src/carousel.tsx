import { useEffect, useId, useReducer, useRef, type ReactNode } from 'react';
import { carouselReducer, eventOfKey, isTurning, sideOf, startCarousel, swipe } from './carousel-state.ts';
import css from './carousel.module.css';
import { Icon } from './icon.tsx';
import { useDrag } from './use-drag.ts';
import { useReducedMotion } from './use-reduced-motion.tsx';
import { t } from './words.ts';

/** How long a slide is shown before the next one. */
const INTERVAL_MS = 5000;

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

    const timer = setTimeout(() => dispatch({ type: 'wentNext' }), INTERVAL_MS);
    return () => clearTimeout(timer);
  }, [turning, index]);

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
        <div className={css.buttons}>
          <button
            type="button"
            className={css.pause}
            aria-label={isPaused ? t('carousel.start') : t('carousel.stop')}
            onClick={() => dispatch({ type: 'pauseToggled' })}
          >
            <Icon name={isPaused ? 'play' : 'pause'} />
          </button>
          <button
            type="button"
            className={css.control}
            aria-label={t('carousel.back')}
            onClick={() => dispatch({ type: 'wentBack' })}
          >
            <span className={css.back}>
              <Icon name="chevron" />
            </span>
          </button>
          <button
            type="button"
            className={css.control}
            aria-label={t('carousel.next')}
            onClick={() => dispatch({ type: 'wentNext' })}
          >
            <Icon name="chevron" />
          </button>
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
