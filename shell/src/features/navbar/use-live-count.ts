import { afterFirstPaint, useOnlineStore } from '@app/platform';
import { useEffect } from 'react';

/**
 * Keeps the count of visitors in the online store up to date while the component is mounted. The socket and its code
 * load after the first paint.
 */
export function useLiveCount(): void {
  useEffect(() => {
    let isGone = false;
    let hangUp: (() => void) | undefined;

    afterFirstPaint()
      .then(() => import(/* webpackChunkName: "live-socket" */ './live-socket.ts'))
      .then(
        ({ listenToCount }) => {
          if (!isGone) hangUp = listenToCount(useOnlineStore.getState().counted);
        },
        () => undefined,
      );
    return () => {
      isGone = true;
      hangUp?.();
    };
  }, []);
}
