import { useEffect, useReducer, useRef, type ReactNode } from 'react';
import { carouselAfter, eventOfKey, isTurning, startCarousel, swipe } from './carousel-state.ts';
import css from './carousel.module.css';
import { Icon } from './icon.tsx';
import { useReducedMotion } from './use-reduced-motion.tsx';
import { t } from './words.ts';

/** How long a slide stays. */
const INTERVAL_MS = 5000;

interface CarouselProps {
  label: string;
  slides: readonly { id: string; caption: string; content: ReactNode }[];
}

/** Slides that turn by themselves until a person takes over: pointer, focus or the pause button hold them. */
export function Carousel({ label, slides }: CarouselProps) {
  const [state, tell] = useReducer(carouselAfter, slides.length, startCarousel);
  const start = useRef<{ x: number; y: number }>(undefined);
  const turning = isTurning(state, useReducedMotion());
  const { index, isPaused } = state;

  useEffect(() => {
    if (!turning) return;

    const timer = setTimeout(() => tell({ type: 'wentNext' }), INTERVAL_MS);
    return () => clearTimeout(timer);
  }, [turning, index]);

  return (
    <section
      className={css.carousel}
      aria-roledescription={t('carousel.role')}
      aria-label={label}
      onPointerEnter={({ pointerType }) => pointerType === 'mouse' && tell({ type: 'hovered', is: true })}
      onPointerLeave={() => tell({ type: 'hovered', is: false })}
      onFocus={() => tell({ type: 'focused', is: true })}
      onBlur={({ currentTarget, relatedTarget }) =>
        currentTarget.contains(relatedTarget) || tell({ type: 'focused', is: false })
      }
      onKeyDown={(event) => {
        const meant = eventOfKey(event.key);
        if (!meant) return;

        event.preventDefault();
        tell(meant);
      }}
    >
      <div className={css.controls}>
        <div className={css.captions} role="group" aria-label={t('carousel.slides')}>
          {slides.map(({ id, caption }, at) => (
            <button
              key={id}
              type="button"
              className={css.caption}
              aria-current={at === index}
              onClick={() => tell({ type: 'wentTo', index: at })}
            >
              {caption}
            </button>
          ))}
        </div>
        <div className={css.buttons}>
          <button
            type="button"
            className={css.pause}
            aria-label={isPaused ? t('carousel.start') : t('carousel.stop')}
            onClick={() => tell({ type: 'pauseToggled' })}
          >
            <Icon name={isPaused ? 'play' : 'pause'} />
          </button>
          <button
            type="button"
            className={css.control}
            aria-label={t('carousel.back')}
            onClick={() => tell({ type: 'wentBack' })}
          >
            <span className={css.back}>
              <Icon name="chevron" />
            </span>
          </button>
          <button
            type="button"
            className={css.control}
            aria-label={t('carousel.next')}
            onClick={() => tell({ type: 'wentNext' })}
          >
            <Icon name="chevron" />
          </button>
        </div>
      </div>
      <div
        className={css.slides}
        aria-live={turning ? 'off' : 'polite'}
        onPointerDown={({ clientX, clientY }) => (start.current = { x: clientX, y: clientY })}
        onPointerUp={({ clientX, clientY }) => {
          const meant = start.current && swipe(start.current, { x: clientX, y: clientY });
          start.current = undefined;
          if (meant) tell(meant);
        }}
        onPointerCancel={() => (start.current = undefined)}
      >
        {slides.map(({ id, caption, content }, at) => (
          <div
            key={id}
            role="group"
            aria-roledescription={t('carousel.slide')}
            aria-label={t('carousel.place', { caption, number: at + 1, count: slides.length })}
            className={css.slide}
            data-side={at === index ? 'here' : at < index ? 'before' : 'after'}
            inert={at !== index}
          >
            {content}
          </div>
        ))}
      </div>
    </section>
  );
}
