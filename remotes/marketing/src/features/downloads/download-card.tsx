import { Badge } from '@app/design-system/badge';
import { buttonClass } from '@app/design-system/button';
import { Icon } from '@app/design-system/icon';
import { Link } from '@app/platform';
import { useCallback } from 'react';
import { useLoaded } from '../../use-loaded.ts';
import { t } from '../../words.ts';
import { DownloadButton } from './download-button.tsx';
import css from './download-card.module.css';
import { defaultStatus, fetchStatus, type StatusApp, type StatusPlatform } from './download-status.ts';
import { FileFacts } from './file-facts.tsx';
import type { Availability } from './use-downloads.ts';

interface DownloadCardProps {
  app: StatusApp;
  platform: StatusPlatform;
  availability: Availability;
  /** A page to go to, where the app is not a file. */
  page?: string | undefined;
}

/** One build: its state, the facts of the file, the button. What arrives late has its room. */
export function DownloadCard({ app, platform, availability, page }: DownloadCardProps) {
  const load = useCallback(() => fetchStatus(app, platform), [app, platform]);
  const status = useLoaded(load, defaultStatus(app));

  return (
    <li className={css.card} data-platform={platform}>
      <div className={css.head}>
        <span className={css.icon}>
          <Icon name={platform === 'ios' ? 'apple' : 'android'} size={24} />
        </span>
        <h3>{t(`platform.${platform}`)}</h3>
        <Badge kind={status.isUpdating ? 'warn' : 'ok'}>{status.badge}</Badge>
      </div>
      <FileFacts availability={availability} gameVersion={status.version} />
      {page ? (
        <Link className={buttonClass({ wide: true })} to={page}>
          <Icon name="download" />
          {t('downloads.for', { platform: t(`platform.${platform}`) })}
        </Link>
      ) : (
        <DownloadButton app={app} platform={platform} availability={availability} kind={platform === 'android_vng' ? 'quiet' : 'primary'} />
      )}
    </li>
  );
}
