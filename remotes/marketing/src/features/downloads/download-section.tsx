import { Notice } from '@app/design-system/notice';
import { Section } from '@app/design-system/section';
import { useVisitor } from '@app/platform';
import type { ReactNode } from 'react';
import { t } from '../../words.ts';
import { DownloadCard } from './download-card.tsx';
import css from './download-section.module.css';
import type { StatusApp, StatusPlatform } from './download-status.ts';
import { IosWays } from './ios-ways.tsx';
import { useDownloads } from './use-downloads.ts';

const PLATFORMS: readonly StatusPlatform[] = ['android', 'android_vng', 'ios'];

interface DownloadSectionProps {
  app: StatusApp;
  /** The page whose downloads the iOS button leads to, for an app without a file for iOS. */
  iosPage?: string;
  /** More content after the cards, such as the facts of the app. */
  children?: ReactNode;
}

/**
 * The cards of an app's builds, the one for the visitor's system first. Visitors from Vietnam see a warning above them.
 */
export function DownloadSection({ app, iosPage, children }: DownloadSectionProps) {
  const { os } = useVisitor();
  const find = useDownloads();

  return (
    <Section id="downloads" heading={t('downloads.heading')} {...(app === 'neo' && { lead: t('downloads.lead') })}>
      {os === 'android_vng' && (
        <Notice kind="warning" title={t('downloads.vietnam.title')}>
          {t('downloads.vietnam.warning')}
        </Notice>
      )}
      <ul className={css.cards}>
        {[...PLATFORMS]
          .sort((a, b) => Number(b === os) - Number(a === os))
          .map((platform, at) => (
            <DownloadCard
              key={platform}
              app={app}
              platform={platform}
              availability={find(app, platform)}
              isFirst={at === 0}
            >
              {platform === 'ios' && iosPage ? (
                <IosWays page={iosPage} find={find} kind={at === 0 ? 'primary' : 'quiet'} />
              ) : undefined}
            </DownloadCard>
          ))}
      </ul>
      {children}
    </Section>
  );
}
