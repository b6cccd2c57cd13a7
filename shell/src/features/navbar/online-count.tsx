import { afterFirstPaint, useOnlineStore } from '@app/platform';
import { useEffect } from 'react';
import { t } from '../../words.ts';
import css from './navbar.module.css';

/** Shows how many visitors are on the site now. Its space is reserved until the number arrives. */
export function OnlineCount() {
  const online = useOnlineStore((store) => store.online);

  // The socket and its code load after the first paint.
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

  return (
    <p className={css.online} data-live={online !== undefined}>
      <span className={css.dot} aria-hidden="true" />
      {online !== undefined && <span>{t('navbar.online', { online })}</span>}
    </p>
  );
}
