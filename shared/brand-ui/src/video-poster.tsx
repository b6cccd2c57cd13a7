import type { ReactNode } from 'react';
import { AppMark } from './app-mark.tsx';
import type { AppName } from './app-name.ts';
import { DeviceFrame } from './device-frame.tsx';
import css from './video-poster.module.css';

interface VideoPosterProps {
  variant: AppName;
  /** For a video that is higher than wide: the device larger than the picture, under the app's mark. */
  upright?: boolean;
  /** The app's own screen. */
  children: ReactNode;
}

/** What stands where a video will play: the app's device in the app's light. */
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
