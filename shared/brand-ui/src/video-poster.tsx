import type { ReactNode } from 'react';
import { AppMark } from './app-mark.tsx';
import type { AppName } from './app-name.ts';
import { DeviceFrame } from './device-frame.tsx';
import css from './video-poster.module.css';

interface VideoPosterProps {
  variant: AppName;
  /** For a video in portrait format: the app's logo above a device that is wider than the poster. */
  upright?: boolean;
  /** The app's own screen. */
  children: ReactNode;
}

/** The poster of a video: the device of an app, in the app's colours. */
export function VideoPoster({ variant, upright = false, children }: VideoPosterProps) {
  return (
    <div className={css.poster} data-app={variant} data-upright={upright}>
      {upright && <AppMark app={variant} size={44} />}
      <div className={css.device}>
        <DeviceFrame variant={variant} hero={!upright}>
          {children}
        </DeviceFrame>
      </div>
    </div>
  );
}
