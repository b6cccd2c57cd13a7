import type { ReactNode } from 'react';
import type { AppName } from './app-name.ts';
import { Scene } from './device/scene.tsx';
import css from './video-poster.module.css';

interface VideoPosterProps {
  variant: AppName;
  /** For a video in portrait format. */
  kind?: 'short';
  /** A `Drawing` of a still. It may come late. */
  children?: ReactNode;
}

/** The poster of a video: the game in the app's colours, with a still of the app at work over it. */
export function VideoPoster({ variant, kind, children }: VideoPosterProps) {
  const isShort = kind === 'short';

  return (
    <div className={css.poster} data-app={variant}>
      <svg
        className={css.layer}
        viewBox="0 0 520 252"
        preserveAspectRatio={isShort ? 'xMinYMax slice' : 'xMaxYMax slice'}
        aria-hidden="true"
      >
        <Scene isClose />
      </svg>
      <svg
        className={css.layer}
        data-short={isShort || undefined}
        viewBox={isShort ? '0 0 140 249' : '0 0 312 175'}
        preserveAspectRatio="xMidYMin slice"
        aria-hidden="true"
      >
        {children}
      </svg>
    </div>
  );
}
