import { useEffect, useRef } from 'react';
import css from './count-up.module.css';
import { useReducedMotion } from './use-reduced-motion.tsx';
import { VisuallyHidden } from './visually-hidden.tsx';

interface CountUpProps {
  value: number;
  durationMs: 900 | 1200;
  decimals?: number;
  /** A text before the number. */
  prefix?: string;
  /** A text after the number, such as `+` or `/5`. */
  suffix?: string;
}

/**
 * A number that counts up when it comes into view. Server, screen readers and visitors with reduced motion get the
 * final value at once. The number takes its final width from the start.
 */
export function CountUp({ value, durationMs, decimals = 0, prefix = '', suffix = '' }: CountUpProps) {
  const shown = useRef<HTMLSpanElement>(null);
  const isStill = useReducedMotion();
  const final = `${prefix}${formatCount(value, decimals)}${suffix}`;

  useEffect(() => {
    const element = shown.current;
    const text = element?.firstChild;
    if (!text || isStill) return;

    // A text node that stays: to replace it makes the browser compute the styles of the whole page again.
    const show = (count: number) => (text.nodeValue = `${prefix}${formatCount(count, decimals)}${suffix}`);
    let frame = 0;

    function count(startedAt: number, now: number) {
      show(countAt(value, now - startedAt, durationMs));
      if (now - startedAt < durationMs) frame = requestAnimationFrame((next) => count(startedAt, next));
    }

    const sight = new IntersectionObserver(([entry]) => {
      if (!entry?.isIntersecting) return;

      sight.disconnect();
      frame = requestAnimationFrame((now) => count(now, now));
    });
    sight.observe(element);

    return () => {
      sight.disconnect();
      cancelAnimationFrame(frame);
      show(value);
    };
  }, [value, durationMs, decimals, prefix, suffix, isStill]);

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
 * Formats a number with at most two decimals, always as many, and with thousands separators from 10,000 on. The first
 * use of `Intl` would take a slow phone a tenth of a second.
 */
export function formatCount(value: number, decimals: number): string {
  const digits = value.toFixed(decimals);
  return Number(digits) < 10_000 ? digits : digits.replace(/\B(?=(?:\d{3})+(?!\d))/g, ',');
}
