import type { DownloadApp, DownloadPlatform } from '@app/contracts/downloads';
import { Button, buttonClass } from '@app/design-system/button';
import { showConfirm } from '@app/design-system/confirm';
import { Icon } from '@app/design-system/icon';
import type { MouseEvent, ReactNode } from 'react';
import { t } from '../../words.ts';
import type { Availability } from './use-downloads.ts';

interface DownloadButtonProps {
  app: DownloadApp;
  platform: DownloadPlatform;
  availability: Availability;
  kind?: 'primary' | 'quiet';
  children?: ReactNode;
}

/**
 * Starts a download, or says that there is none. While the server's list is unknown it is a plain link, and the server
 * decides.
 */
export function DownloadButton({ app, platform, availability, kind = 'primary', children }: DownloadButtonProps) {
  if (availability === 'none') {
    return (
      <Button kind="quiet" wide disabled>
        {t('downloads.none')}
      </Button>
    );
  }

  const href = `/download/${app}/${platform}`;
  // Where no script asks, the server does.
  const asks = platform === 'android_vng';

  return (
    <a
      className={buttonClass({ kind, wide: true })}
      href={asks ? `${href}?ask` : href}
      onClick={asks ? (event) => void downloadForVietnam(event, href) : undefined}
    >
      <Icon name="download" />
      <span>{children ?? t('downloads.for', { platform: t(`platform.${platform}`) })}</span>
    </a>
  );
}

/** Asks before the download begins, because this build can change an account permanently. */
async function downloadForVietnam(event: MouseEvent, href: string): Promise<void> {
  event.preventDefault();
  const isAgreed = await showConfirm({ title: t('downloads.vietnam.title'), text: t('downloads.vietnam.confirm') });
  if (isAgreed) window.location.assign(href);
}
