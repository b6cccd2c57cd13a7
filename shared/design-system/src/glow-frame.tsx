import type { ReactNode } from 'react';
import css from './glow-frame.module.css';

/** Light round the one thing that matters on a screen: red, pink and blue, another colour each second. */
export function GlowFrame({ children }: { children: ReactNode }) {
  return <div className={css.frame}>{children}</div>;
}
