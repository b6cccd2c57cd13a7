import { PAGES } from '@app/contracts/pages';
import { buttonClass } from '@app/design-system/button';
import { Icon } from '@app/design-system/icon';
import { Link } from '@app/platform';
import { AnchorLink } from '../../anchor-link.tsx';
import { t } from '../../words.ts';
import { DownloadButton } from './download-button.tsx';
import css from './ios-ways.module.css';
import type { FindDownload } from './use-downloads.ts';

interface IosWaysProps {
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
export function IosWays({ page, find, kind }: IosWaysProps) {
  return (
    <div className={css.ways}>
      <AnchorLink className={buttonClass({ kind: 'quiet', wide: true })} page={page} to="downloads">
        <Icon name="download" />
        <span>{t('downloads.for', { platform: t('platform.ios') })}</span>
      </AnchorLink>
      <Ways find={find} kind={kind} />
    </div>
  );
}

function Ways({ find, kind }: Omit<IosWaysProps, 'page'>) {
  const v5 = find('v5', 'ios');
  const neo = find('neo', 'ios');
  if (v5 === 'unknown') {
    return (
      <>
        <p className={`${css.text} ${css.looking}`}>{t('downloads.ios.looking')}</p>
        <div className={css.later}>
          <DownloadButton app="v5" platform="ios" availability={v5} kind={kind}>
            {t('downloads.ios.file')}
          </DownloadButton>
        </div>
      </>
    );
  }

  if (v5 !== 'none') {
    return (
      <>
        <p className={css.text}>{t('downloads.ios.v5')}</p>
        <DownloadButton app="v5" platform="ios" availability={v5} kind={kind}>
          {t('downloads.ios.file')}
        </DownloadButton>
      </>
    );
  }
  if (neo === 'none') return <p className={css.text}>{t('downloads.ios.none')}</p>;

  return (
    <>
      <p className={css.text}>{t('downloads.ios.neo')}</p>
      <Link className={buttonClass({ kind, wide: true })} to={`${PAGES.neo}#downloads`}>
        {t('downloads.ios.getNeo')}
      </Link>
    </>
  );
}
