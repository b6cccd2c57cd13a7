import { SystemIcon } from '@app/brand-ui/system-icon';
import { PAGES } from '@app/contracts/pages';
import { Badge } from '@app/design-system/badge';
import { buttonClass } from '@app/design-system/button';
import { Icon } from '@app/design-system/icon';
import { Notice } from '@app/design-system/notice';
import { Section } from '@app/design-system/section';
import texts from '@app/design-system/text.module.css';
import { Link, useVisitor } from '@app/platform';
import type { ReactNode } from 'react';
import { AnchorLink } from '../../anchor-link.tsx';
import { t } from '../../words.ts';
import { DownloadButton } from './download-button.tsx';
import { FileFacts } from './file-facts.tsx';
import css from './download-section.module.css';
import {
  type Availability,
  type FindDownload,
  type StatusApp,
  type StatusPlatform,
  useDownloads,
  useDownloadStatus,
} from './use-downloads.ts';

const PLATFORMS: readonly StatusPlatform[] = ['android', 'android_vng', 'ios'];

interface DownloadSectionProps {
  app: StatusApp;
  /** The page whose downloads the iOS button leads to, for an app without a file for iOS. */
  iosPage?: string;
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
                <IosOptions page={iosPage} find={find} kind={at === 0 ? 'primary' : 'quiet'} />
              ) : undefined}
            </DownloadCard>
          ))}
      </ul>
      {children}
    </Section>
  );
}

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
function DownloadCard({ app, platform, availability, isFirst, children }: DownloadCardProps) {
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
      {children ?? <p className={texts.note}>{t(isThere ? NOTES[platform] : 'downloads.missing')}</p>}
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

interface IosOptionsProps {
  /** The page whose downloads the button leads to. */
  page: string;
  find: FindDownload;
  /** That of the button to what is available. */
  kind: 'primary' | 'quiet';
}

/**
 * The iOS card of V5: a button to the downloads, where it stands itself, and beside it, as the main one, what is
 * available for iOS.
 */
function IosOptions({ page, find, kind }: IosOptionsProps) {
  const v5 = find('v5', 'ios');
  const isKnown = v5 !== 'unknown';
  const hasV5 = v5 !== 'none';
  const hasNeo = find('neo', 'ios') !== 'none';

  return (
    <div className={css.options}>
      <AnchorLink className={buttonClass({ kind: 'quiet', wide: true })} page={page} to="downloads">
        <Icon name="download" />
        <span>{t('downloads.for', { platform: t('platform.ios') })}</span>
      </AnchorLink>
      <p className={css.text} data-looking={!isKnown}>
        {t(`downloads.ios.${!isKnown ? 'looking' : hasV5 ? 'v5' : hasNeo ? 'neo' : 'none'}`)}
      </p>
      {hasV5 ? (
        <div className={css.file} data-later={!isKnown}>
          <DownloadButton app="v5" platform="ios" availability={v5} kind={kind}>
            {t('downloads.ios.file')}
          </DownloadButton>
        </div>
      ) : (
        hasNeo && (
          <Link className={buttonClass({ kind, wide: true })} to={`${PAGES.neo}#downloads`}>
            {t('downloads.ios.getNeo')}
          </Link>
        )
      )}
    </div>
  );
}
