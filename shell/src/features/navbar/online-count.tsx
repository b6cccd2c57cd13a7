import { afterFirstPaint, useOnlineStore } from '@app/platform';
import { useEffect, useState } from 'react';
import { t } from '../../words.ts';
import css from './navbar.module.css';

/** Shows how many visitors are on the site now. Its space is reserved until the number arrives. Its dot is green while it is true. */
export function OnlineCount() {
  const online = useOnlineStore((store) => store.online);
  const [isLive, setIsLive] = useState(false);

  // The socket and its code load after the first paint.
  useEffect(() => {
    let isGone = false;
    let hangUp: (() => void) | undefined;

    afterFirstPaint()
      .then(() => import(/* webpackChunkName: "live-socket" */ './live-socket.ts'))
      .then(
        ({ listenToCount }) => {
          if (!isGone) hangUp = listenToCount(useOnlineStore.getState().counted, setIsLive);
        },
        () => undefined,
      );
    return () => {
      isGone = true;
      hangUp?.();
    };
  }, []);

  return (
    <p className={css.online} data-live={isLive}>
      <span className={css.dot} aria-hidden="true" />
      {online !== undefined && <span>{t('navbar.online', { online })}</span>}
    </p>
  );
}
