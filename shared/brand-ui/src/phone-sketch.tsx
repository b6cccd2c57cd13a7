import type { ReactNode } from 'react';
import css from './phone-sketch.module.css';

/** A small phone in outlines. What is on its screen is drawn on a grid of 100 × 124. */
export function PhoneSketch({ children }: { children: ReactNode }) {
  return (
    <svg className={css.phone} viewBox="0 0 100 124" strokeLinecap="round" strokeLinejoin="round" aria-hidden="true">
      <rect
        x="2"
        y="2"
        width="96"
        height="120"
        rx="15"
        fill="var(--surface)"
        stroke="var(--line-strong)"
        strokeWidth="2"
      />
      {children}
    </svg>
  );
}

/** The home screen with the icon of an app. Its sign is a line on a grid of 48 × 48. */
export function HomeSketch({ sign }: { sign: string }) {
  return (
    <>
      <path
        d="M16 25h12v12H16zm28 0h12v12H44zm28 0h12v12H72zM16 60h12v12H16zm56 0h12v12H72z"
        fill="var(--surface-3)"
        stroke="var(--surface-3)"
        strokeWidth="7"
      />
      <rect x="33" y="50" width="34" height="34" rx="10" fill="var(--accent)" />
      <path transform="translate(33 50) scale(.7)" d={sign} fill="none" stroke="var(--accent-ink)" strokeWidth="6" />
    </>
  );
}

export function ButtonSketch({ y, label }: { y: number; label: string }) {
  return (
    <>
      <rect x="10" y={y} width="80" height="28" rx="9" fill="var(--accent)" />
      <text className={css.label} data-long={label.length > 9} x="50" y={y + 19}>
        {label}
      </text>
    </>
  );
}
