import type { ReactNode } from 'react';
import type { AppName } from './app-name.ts';
import { DeviceFrame } from './device-frame.tsx';
import css from './video-poster.module.css';

/** What stands where a video will play: the app's device in the app's light. */
export function VideoPoster({ variant, children }: { variant: AppName; children: ReactNode }) {
  return (
    <div className={css.poster} data-app={variant}>
      <div className={css.device}>
        <DeviceFrame variant={variant} hero>
          {children}
        </DeviceFrame>
      </div>
    </div>
  );
}
