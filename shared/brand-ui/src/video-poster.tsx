import { AppMark } from './app-mark.tsx';
import type { AppName } from './app-name.ts';
import { Player } from './device/player.tsx';
import { Scene } from './device/scene.tsx';
import css from './video-poster.module.css';

/** The poster of a video: the game in the app's colours, with the app's mark. */
export function VideoPoster({ variant }: { variant: AppName }) {
  return (
    <div className={css.poster} data-app={variant}>
      <svg className={css.scene} viewBox="0 0 520 252" preserveAspectRatio="xMaxYMax slice" aria-hidden="true">
        <Scene />
      </svg>
      <div className={css.stage}>
        <Player is="jumping" />
      </div>
      <span className={css.mark}>
        <AppMark app={variant} size={52} />
      </span>
    </div>
  );
}
