import type { DownloadApp, DownloadPlatform } from '@app/contracts/downloads';
import { Button, buttonClass } from '@app/design-system/button';
import { showConfirm } from '@app/design-system/confirm';
import { Icon } from '@app/design-system/icon';
import type { ReactNode } from 'react';
import { t } from '../../words.ts';
import css from './download-button.module.css';
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
  const words = (
    <>
      <Icon name="download" />
      <span>{children ?? t('downloads.for', { platform: t(`platform.${platform}`) })}</span>
    </>
  );
  if (platform === 'android_vng') {
    return (
      <>
        <div className={css.asking}>
          <Button kind={kind} wide onClick={() => void downloadForVietnam(href)}>
            {words}
          </Button>
        </div>
        <noscript className={css.unasked}>
          <p>{t('downloads.vietnam.confirm')}</p>
          <DownloadLink kind={kind} href={href} words={words} />
        </noscript>
      </>
    );
  }

  return <DownloadLink kind={kind} href={href} words={words} />;
}

function DownloadLink({ kind, href, words }: { kind: 'primary' | 'quiet'; href: string; words: ReactNode }) {
  return (
    <a className={buttonClass({ kind, wide: true })} href={href}>
      {words}
    </a>
  );
}

/** Asks before the download begins, because this build can change an account permanently. */
async function downloadForVietnam(href: string): Promise<void> {
  const isAgreed = await showConfirm({ title: t('downloads.vietnam.title'), text: t('downloads.vietnam.confirm') });
  if (isAgreed) window.location.assign(href);
}
