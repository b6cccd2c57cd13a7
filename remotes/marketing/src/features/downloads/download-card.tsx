import { Badge } from '@app/design-system/badge';
import { SystemIcon } from '@app/brand-ui/system-icon';
import type { ReactNode } from 'react';
import { t } from '../../words.ts';
import { DownloadButton } from './download-button.tsx';
import css from './download-card.module.css';
import { useDownloadStatus, type StatusApp, type StatusPlatform } from './download-status.ts';
import { FileFacts } from './file-facts.tsx';
import type { Availability } from './use-downloads.ts';

interface DownloadCardProps {
  app: StatusApp;
  platform: StatusPlatform;
  availability: Availability;
  /** Takes the place of the button, before the facts, where the app is not simply a file. */
  children?: ReactNode;
}

/** One build: its state, the facts of the file, the button. What arrives late has its room. A build that does not exist has no state. */
export function DownloadCard({ app, platform, availability, children }: DownloadCardProps) {
  const status = useDownloadStatus(app, platform);
  const isThere = availability !== 'none';

  return (
    <li className={css.card} data-platform={platform}>
      <div className={css.head}>
        <span className={css.icon}>
          <SystemIcon system={platform} size={24} />
        </span>
        <h3>{t(`platform.${platform}`)}</h3>
        {isThere && <Badge kind={status.isUpdating ? 'warn' : 'ok'}>{status.badge}</Badge>}
      </div>
      {children}
      <FileFacts availability={availability} gameVersion={isThere ? status.version : '–'} />
      {!children && (
        <DownloadButton
          app={app}
          platform={platform}
          availability={availability}
          kind={platform === 'android_vng' ? 'quiet' : 'primary'}
        />
      )}
    </li>
  );
}
