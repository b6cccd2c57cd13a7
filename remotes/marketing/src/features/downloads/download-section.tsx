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
              kind={at === 0 ? 'primary' : 'quiet'}
              isElsewhere={platform === 'ios' && os !== 'ios'}
              {...(platform === 'ios' && iosPage && { page: iosPage, isNeoThere: find('neo', 'ios') !== 'none' })}
            />
          ))}
      </ul>
      {children}
    </Section>
  );
}

const NOTES = {
  android: 'downloads.note.android',
  android_vng: 'downloads.note.vietnam',
  ios: 'downloads.note.ios',
} as const;

interface DownloadCardProps {
  app: StatusApp;
  platform: StatusPlatform;
  availability: Availability;
  /** That of the button. The build for the visitor's system has the main one. */
  kind: 'primary' | 'quiet';
  /** Whether the visitor's device cannot install the file. */
  isElsewhere: boolean;
  /** The page whose downloads the button leads to. There the file begins to download. */
  page?: string;
  /** Whether NEO runs on the platform, where this app does not. */
  isNeoThere?: boolean;
}

/**
 * A card for one build: its status, the facts of its file, and the button. A build that does not exist says so where
 * its status would be, and has nothing else. The space of late facts is reserved.
 */
function DownloadCard({ app, platform, availability, kind, isElsewhere, page, isNeoThere = false }: DownloadCardProps) {
  const status = useDownloadStatus(app, platform);
  const isThere = availability !== 'none';
  const note = status.isUpdating
    ? 'downloads.note.updating'
    : isElsewhere
      ? 'downloads.note.ios.there'
      : NOTES[platform];

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
      <p className={texts.note}>{t(isThere ? note : isNeoThere ? 'downloads.ios.neo' : 'downloads.missing')}</p>
      {isThere && <FileFacts availability={availability} gameVersion={status.isUpdating ? '–' : status.version} />}
      {isThere && page && <ButtonToPage page={page} path={`/download/${app}/${platform}`} kind={kind} />}
      {isThere && !page && <DownloadButton app={app} platform={platform} availability={availability} kind={kind} />}
      {!isThere && isNeoThere && (
        <Link className={buttonClass({ kind, wide: true })} to={`${PAGES.neo}#downloads`}>
          {t('downloads.ios.getNeo')}
        </Link>
      )}
    </li>
  );
}

/** A button to the downloads of a page, where its click downloads the file at a path. Without a script it is that file. */
function ButtonToPage({ page, path, kind }: { page: string; path: string; kind: 'primary' | 'quiet' }) {
  const className = buttonClass({ kind, wide: true });
  const content = (
    <>
      <Icon name="download" />
      <span>{t('downloads.for', { platform: t('platform.ios') })}</span>
    </>
  );

  return (
    <>
      <AnchorLink
        className={`${className} ${css.toPage}`}
        page={page}
        to="downloads"
        onClick={(event) => {
          // Whoever is there already stays where they are.
          if (location.pathname === page) event.preventDefault();
          setTimeout(() => window.location.assign(path));
        }}
      >
        {content}
      </AnchorLink>
      <noscript>
        <a className={className} href={path}>
          {content}
        </a>
      </noscript>
    </>
  );
}
