import { useId, type ReactNode } from 'react';
import css from './app-mark.module.css';
import type { AppName } from './app-name.ts';

interface AppMarkProps {
  app: AppName;
  size?: number;
  /** The name for screen readers. Leave it out when the app's name is written beside the mark. */
  label?: string;
}

/** The logo of an app on its tile, drawn on a grid of 48 × 48. */
export function AppMark({ app, size = 48, label }: AppMarkProps) {
  const id = useId();

  return (
    <svg
      className={css.mark}
      data-app={app}
      viewBox="0 0 48 48"
      width={size}
      height={size}
      {...(label ? { role: 'img', 'aria-label': label } : { 'aria-hidden': true })}
    >
      <linearGradient id={id} x1="0" y1="0" x2="1" y2="1">
        <stop offset="0.1" stopColor="var(--app)" />
        <stop offset="1" stopColor="var(--app-2)" />
      </linearGradient>
      <rect width="48" height="48" rx="14" fill={`url(#${id})`} />
      <rect
        x="0.75"
        y="0.75"
        width="46.5"
        height="46.5"
        rx="13.25"
        fill="none"
        stroke="#fff"
        strokeOpacity="0.28"
        strokeWidth="1.5"
      />
      <g fill="#0b0d14">{GLYPHS[app]}</g>
    </svg>
  );
}

const LINE = {
  fill: 'none',
  stroke: '#0b0d14',
  strokeWidth: 4.2,
  strokeLinecap: 'round',
  strokeLinejoin: 'round',
} as const;

const GLYPHS: Record<AppName, ReactNode> = {
  // The letter A. Its crossbar is the assistant's spark.
  v5: (
    <>
      <path d="M24 8.5 38.5 38h-7.8L24 23.6 17.3 38H9.5Z" />
      <path d="M24 28.2c.8 3.6 1.9 4.7 5.4 5.4-3.5.7-4.6 1.8-5.4 5.4-.8-3.6-1.9-4.7-5.4-5.4 3.5-.7 4.6-1.8 5.4-5.4Z" />
    </>
  ),
  // The letter N, like a folded band.
  neo: (
    <>
      <path d="M11.5 37V11h6.6v26zM29.9 37V11h6.6v26z" opacity="0.72" />
      <path d="M11.5 11h6.6l18.4 26h-6.6z" />
    </>
  ),
  // Three arrowheads that point up. The lower ones are fainter.
  v3: (
    <g {...LINE}>
      <path d="m12.5 21.5 11.5-9 11.5 9" />
      <path d="m12.5 29.5 11.5-9 11.5 9" opacity="0.65" />
      <path d="m12.5 37.5 11.5-9 11.5 9" opacity="0.35" />
    </g>
  ),
  // A rose, drawn as a line.
  companion: (
    <g {...LINE}>
      <path d="M23 23.5a2.7 2.7 0 0 1 5.4 0 5.7 5.7 0 0 1-11.4 0 8.7 8.7 0 0 1 17.4 0A11.7 11.7 0 0 1 11 23.5" />
      <path d="M24.5 36.5c5.5 3.5 10.5 2 13-2.5" opacity="0.6" />
    </g>
  ),
};
