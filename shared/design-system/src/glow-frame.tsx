import type { ReactNode } from 'react';
import css from './glow-frame.module.css';

/** The lights in the order in which they shine: one for each of the six colours. */
const LIGHTS = [1, 2, 3, 4, 5, 6];

/** A glowing frame for the most important thing on a screen. Its colour changes every second. */
export function GlowFrame({ children }: { children: ReactNode }) {
  return (
    <div className={css.frame}>
      <span className={css.glow} aria-hidden="true">
        {LIGHTS.map((light) => (
          <span key={light} className={css.light} />
        ))}
      </span>
      {children}
    </div>
  );
}
