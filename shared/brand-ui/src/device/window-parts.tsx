import type { ReactNode } from 'react';
import css from './device.module.css';

interface WindowProps {
  x: number;
  y: number;
  width: number;
  height: number;
  children: ReactNode;
}

/** The window of the app over the game. Coordinates of its children start at its upper left corner. */
export function Window({ x, y, width, height, children }: WindowProps) {
  return (
    <svg x={x} y={y} width={width} height={height} viewBox={`0 0 ${width} ${height}`}>
      <rect x="0.5" y="0.5" width={width - 1} height={height - 1} rx="14" className={css.window} />
      {children}
    </svg>
  );
}

/** The button that runs the script. */
export function RunButton({ x, y }: { x: number; y: number }) {
  return (
    <g transform={`translate(${x} ${y})`}>
      <rect width="64" height="24" rx="8" className={css.appFill} />
      <path d="M15 7.5v9l7.5-4.5z" className={css.ink} />
      <text x="28" y="16" className={css.run}>
        Run
      </text>
    </g>
  );
}

/** The icon of the assistant. */
export function Spark({ x, y }: { x: number; y: number }) {
  return (
    <path
      className={css.appFill}
      transform={`translate(${x} ${y})`}
      d="M8 0c1 5.2 2.8 7 8 8-5.2 1-7 2.8-8 8-1-5.2-2.8-7-8-8 5.2-1 7-2.8 8-8Z"
    />
  );
}

/** The navigation rail at the left edge of the window, with an icon for each part of the app. */
export function Rail() {
  return (
    <g>
      <path d="M14 0.5H34V211.5H14A13.5 13.5 0 0 1 0.5 198V14A13.5 13.5 0 0 1 14 0.5Z" className={css.raised} />
      <path d="M17 10.5 24.5 25h-4L17 17.5 13.5 25h-4Z" className={css.appFill} />
      <g className={css.signs}>
        <rect x="7" y="42" width="20" height="20" rx="6" className={css.signOpen} />
        <path d="m14.5 48.5-3 3.5 3 3.5m5-7 3 3.5-3 3.5" />
        <path d="M11 76h12v9l-6-3-6 3Z" />
        <path d="M11 104h5l1.5 2H23v8H11Z" />
        <circle cx="17" cy="137" r="5.5" />
        <path d="M17 134.5v2.5l2 1.5" />
      </g>
    </g>
  );
}
