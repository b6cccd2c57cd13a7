import texts from '@app/design-system/text.module.css';
import { t } from '../../words.ts';
import css from './both-downloads.module.css';
import { DownloadButton } from './download-button.tsx';
import { useDownloads } from './use-downloads.ts';

/**
 * The downloads of V5 for a visitor who has just bought it: the standard build and the build for Vietnam.
 * @param kind that of the standard build's button
 */
export function BothDownloads({ kind = 'primary' }: { kind?: 'primary' | 'quiet' }) {
  const find = useDownloads();

  return (
    <div className={css.both}>
      <DownloadButton app="v5" platform="android" availability={find('v5', 'android')} kind={kind}>
        {t('action.download')}
      </DownloadButton>
      <div className={css.vietnam}>
        <p className={texts.note}>{t('downloads.vietnam.title')}</p>
        <DownloadButton app="v5" platform="android_vng" availability={find('v5', 'android_vng')} kind="quiet">
          {t('success.vietnam')}
        </DownloadButton>
      </div>
    </div>
  );
}
