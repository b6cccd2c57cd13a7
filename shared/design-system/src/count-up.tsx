import { useEffect, useRef } from 'react';
import css from './count-up.module.css';
import { useReducedMotion } from './use-reduced-motion.tsx';
import { VisuallyHidden } from './visually-hidden.tsx';
import { locale } from './locale.ts';

interface CountUpProps {
  value: number;
  durationMs: 900 | 1200;
  decimals?: number;
  /** A text after the number, such as `+` or `/5`. */
  suffix?: string;
}

/**
 * A number that counts up when it comes into view for the first time. What was in view before is never taken back: a
 * number that the first screen shows, or that was scrolled past before the page started, keeps its value. Server,
 * screen readers, pictures of the whole page, and visitors with reduced motion get the value at once. It takes its width from the start.
 */
export function CountUp({ value, durationMs, decimals = 0, suffix = '' }: CountUpProps) {
  const shown = useRef<HTMLSpanElement>(null);
  const wasSeen = useRef(false);
  const isStill = useReducedMotion();
  const final = `${formatCount(value, decimals)}${suffix}`;

  useEffect(() => {
    const element = shown.current;
    const text = element?.firstChild;
    if (!text) return;

    // A text node that stays: to replace it makes the browser compute the styles of the whole page again.
    const show = (count: number) => (text.nodeValue = `${formatCount(count, decimals)}${suffix}`);
    show(value);
    if (isStill || wasSeen.current) return;

    let isWaiting = false;
    let frame = 0;

    function count(startedAt: number, now: number) {
      show(countAt(value, now - startedAt, durationMs));
      if (now - startedAt < durationMs) frame = requestAnimationFrame((next) => count(startedAt, next));
    }

    const sight = new IntersectionObserver(([entry]) => {
      if (!entry) return;

      const isBelow = !entry.isIntersecting && entry.boundingClientRect.top > 0;
      if (isBelow) {
        isWaiting = true;
        return;
      }
      sight.disconnect();
      wasSeen.current = true;
      if (isWaiting) frame = requestAnimationFrame((now) => count(now, now));
    });
    sight.observe(element);

    return () => {
      sight.disconnect();
      cancelAnimationFrame(frame);
    };
  }, [value, durationMs, decimals, suffix, isStill]);

  return (
    <span className={css.count}>
      <VisuallyHidden>{final}</VisuallyHidden>
      <span className={css.room} aria-hidden="true">
        {final}
      </span>
      <span ref={shown} className={css.shown} aria-hidden="true">
        {final}
      </span>
    </span>
  );
}

/** The number that a count shows after some time. It grows fast at first, then slower, and ends at `value`. */
export function countAt(value: number, elapsedMs: number, durationMs: number): number {
  const share = Math.min(Math.max(elapsedMs / durationMs, 0), 1);
  return value * (1 - (1 - share) ** 3);
}

/**
 * Formats a number with at most two decimals, always as many, and with thousands separators from 10,000 on. In English
 * it does without `Intl`, whose first use takes a slow phone a tenth of a second.
 */
export function formatCount(value: number, decimals: number): string {
  const language = locale();
  if (language)
    return value.toLocaleString(language, {
      minimumFractionDigits: decimals,
      maximumFractionDigits: decimals,
      useGrouping: 'min2',
    });

  const digits = value.toFixed(decimals);
  return Number(digits) < 10_000 ? digits : digits.replace(/\B(?=(?:\d{3})+(?!\d))/g, ',');
}
