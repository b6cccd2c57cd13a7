import { AppMark } from './app-mark.tsx';
import type { AppName } from './app-name.ts';
import { Player } from './device/player.tsx';
import { Scene } from './device/scene.tsx';
import css from './video-poster.module.css';

interface VideoPosterProps {
  variant: AppName;
  /** `short`: another part of the game, for a video in portrait format beside one that has the mark. */
  kind?: 'short';
}

/** The poster of a video: the game in the app's colours, with the app's mark. */
export function VideoPoster({ variant, kind }: VideoPosterProps) {
  const isShort = kind === 'short';

  return (
    <div className={css.poster} data-app={variant}>
      <svg
        className={css.scene}
        viewBox="0 0 520 252"
        preserveAspectRatio={isShort ? 'xMinYMax slice' : 'xMaxYMax slice'}
        aria-hidden="true"
      >
        <Scene />
      </svg>
      <div className={css.stage}>
        <Player is="jumping" />
      </div>
      {!isShort && (
        <span className={css.mark}>
          <AppMark app={variant} size={52} />
        </span>
      )}
    </div>
  );
}
