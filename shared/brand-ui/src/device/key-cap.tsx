import css from './device.module.css';

interface KeyCapProps {
  x: number;
  y: number;
  width: number;
  /** A key that the keyboard has for scripts. */
  isCode?: boolean;
  children: string;
}

/** A key of V3's keyboard. */
export function KeyCap({ x, y, width, isCode = false, children }: KeyCapProps) {
  return (
    <g transform={`translate(${x} ${y})`}>
      <rect width={width} height="24" rx="5" className={isCode ? css.codeKey : css.key} />
      <text x={width / 2} y="16" textAnchor="middle" className={css.say}>
        {children}
      </text>
    </g>
  );
}
