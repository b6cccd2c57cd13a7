import type { ReactNode } from 'react';
import css from './art-stage.module.css';

/** The class of the box around a small drawing. It reserves the space, because drawings load after the first paint. */
export const ART_PLACE = css.place ?? '';

/** The canvas of a small drawing: 120 × 100, in the colours of the app around it. Its shapes use the classes of `art`. */
export function ArtStage({ children }: { children: ReactNode }) {
  return (
    <svg className={css.stage} viewBox="0 0 120 100" aria-hidden="true">
      {children}
    </svg>
  );
}

export const art = css;
