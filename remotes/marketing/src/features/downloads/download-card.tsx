import { Badge } from '@app/design-system/badge';
import { SystemIcon } from '@app/brand-ui/system-icon';
import type { ReactNode } from 'react';
import { t } from '../../words.ts';
import { DownloadButton } from './download-button.tsx';
import css from './download-card.module.css';
import { useDownloadStatus, type StatusApp, type StatusPlatform } from './download-status.ts';
import { FileFacts } from './file-facts.tsx';
import type { Availability } from './use-downloads.ts';

/** For whom a build is. */
const NOTES = {
  android: 'downloads.note.android',
  android_vng: 'downloads.note.vietnam',
  ios: 'downloads.ios.v5',
} as const;

interface DownloadCardProps {
  app: StatusApp;
  platform: StatusPlatform;
  availability: Availability;
  /** The build for the visitor's system. Its button is the main one. */
  isFirst: boolean;
  /** Replaces the button and appears above the facts, for a build that is not only a file. */
  children?: ReactNode;
}

/**
 * A card for one build: its status, the facts of its file, and the button. A build that does not exist says so where
 * its status would be, and has nothing else. The space of late facts is reserved.
 */
export function DownloadCard({ app, platform, availability, isFirst, children }: DownloadCardProps) {
  const status = useDownloadStatus(app, platform);
  const isThere = availability !== 'none';

  return (
    <li className={css.card} data-platform={platform}>
      <div className={css.head}>
        <span className={css.icon}>
          <SystemIcon system={platform} size={24} />
        </span>
        <h3>{t(`platform.${platform}`)}</h3>
        {isThere ? (
          <Badge kind={status.isUpdating ? 'warn' : 'ok'}>{status.badge}</Badge>
        ) : (
          <Badge kind="disc">{t('downloads.none')}</Badge>
        )}
      </div>
      {children ?? <p className={css.note}>{t(isThere ? NOTES[platform] : 'downloads.missing')}</p>}
      {isThere && <FileFacts availability={availability} gameVersion={status.isUpdating ? '–' : status.version} />}
      {isThere && !children && (
        <DownloadButton
          app={app}
          platform={platform}
          availability={availability}
          kind={isFirst ? 'primary' : 'quiet'}
        />
      )}
    </li>
  );
}
