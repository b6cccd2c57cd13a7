import { useOnlineStore } from '@app/platform';
import { t } from '../../words.ts';
import css from './online-count.module.css';

/** Shows how many visitors are on the site now. Its space is reserved until the number arrives. */
export function OnlineCount() {
  const online = useOnlineStore((store) => store.online);

  return (
    <p className={css.online} data-live={online !== undefined}>
      <span className={css.dot} aria-hidden="true" />
      {online !== undefined && <span>{t('navbar.online', { online })}</span>}
    </p>
  );
}
