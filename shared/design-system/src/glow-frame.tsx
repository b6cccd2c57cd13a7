import type { ReactNode } from 'react';
import css from './glow-frame.module.css';

/** A glowing frame for the most important thing on a screen. Its colour changes every second. */
export function GlowFrame({ children }: { children: ReactNode }) {
  return (
    <div className={css.frame}>
      <span className={css.glow} aria-hidden="true" />
      {children}
    </div>
  );
}
