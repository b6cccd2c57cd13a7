import type { ReactNode } from 'react';
import css from './phone-sketch.module.css';

/** A small phone in outlines. What is on its screen is drawn on a grid of 100 × 124. */
export function PhoneSketch({ children }: { children: ReactNode }) {
  return (
    <svg className={css.phone} viewBox="0 0 100 124" aria-hidden="true">
      <rect className={css.case} x="2" y="2" width="96" height="120" rx="15" />
      {children}
    </svg>
  );
}

/** The home screen with the icon of an app. Its sign is a line on a grid of 48 × 48. */
export function HomeSketch({ sign }: { sign: string }) {
  return (
    <>
      <FaintLines d="M16 25h12v12H16zm28 0h12v12H44zm28 0h12v12H72zM16 60h12v12H16zm56 0h12v12H72z" />
      <rect className={css.accent} x="33" y="50" width="34" height="34" rx="10" />
      <path className={css.sign} transform="translate(33 50) scale(.7)" d={sign} />
    </>
  );
}

/** A screen of the app with a button. */
export function ButtonSketch({ label }: { label: string }) {
  return (
    <>
      <FaintLines d="M16 24h28M16 36h54M26 48h32" />
      <RowSketch y={68} label={label} isAccented />
    </>
  );
}

/** A button or a row of a list. */
export function RowSketch({ y, label, isAccented = false }: { y: number; label: string; isAccented?: boolean }) {
  return (
    <>
      <rect className={isAccented ? css.accent : css.row} x="10" y={y} width="80" height="28" rx="9" />
      <text className={css.label} data-accented={isAccented} data-long={label.length > 9} x="50" y={y + 19}>
        {label}
      </text>
    </>
  );
}

/** What is on a screen besides: texts and icons that are only hinted at. */
export function FaintLines({ d }: { d: string }) {
  return <path className={css.faint} d={d} />;
}
