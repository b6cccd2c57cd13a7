import { AppMark } from '@app/brand-ui/app-mark';
import { COMPANION, TEAM_PREFIX } from '@app/contracts/brand';
import { Button, buttonClass } from '@app/design-system/button';
import { CopyField } from '@app/design-system/copy-field';
import { FactList } from '@app/design-system/fact-list';
import { Icon } from '@app/design-system/icon';
import { t } from '../../words.ts';
import css from './download-card.module.css';
import { formatBytes } from './format-bytes.ts';
import { DOWNLOAD_PATH, type Download } from './use-download.ts';

interface DownloadCardProps {
  download: Download;
  onRetry: () => void;
}

/** The app's facts, and the file itself where there is one. */
export function DownloadCard({ download, onRetry }: DownloadCardProps) {
  return (
    <div className={css.card} data-app="companion">
      <div className={css.app}>
        <AppMark app="companion" size={72} />
        <h3 className={css.name}>{t('download.name', { app: COMPANION.label })}</h3>
      </div>
      <div className={css.facts}>
        <FactList
          facts={[
            { label: t('download.developedBy'), value: TEAM_PREFIX },
            { label: t('download.os'), value: t('download.os.value') },
            { label: t('download.price'), value: t('download.price.value') },
            { label: t('download.version'), value: t('download.version.value') },
            { label: t('download.size'), value: t('download.size.value') },
            { label: t('download.downloads'), value: t('download.downloads.value') },
          ]}
        />
      </div>
      <div className={css.file} aria-live="polite">
        <File download={download} onRetry={onRetry} />
      </div>
    </div>
  );
}

function File({ download, onRetry }: DownloadCardProps) {
  if (download.status === 'checking') return <p className={css.text}>{t('download.checking')}</p>;

  if (download.status === 'none') {
    return (
      <>
        <Button wide disabled>
          {t('download.none')}
        </Button>
        <p className={css.text}>{t('download.none.text')}</p>
      </>
    );
  }

  if (download.status === 'failed') {
    return (
      <>
        <Button wide kind="quiet" onClick={onRetry}>
          {t('download.failed')}
        </Button>
        <p className={css.text}>{t('download.failed.text')}</p>
      </>
    );
  }

  const { version, bytes, sha256 } = download.file;
  return (
    <>
      <a className={buttonClass({ wide: true })} href={DOWNLOAD_PATH}>
        <Icon name="download" />
        {t('download.go')}
      </a>
      <p className={css.text}>{t('download.file', { version, size: formatBytes(bytes) })}</p>
      <CopyField label={t('download.sha')} value={sha256} />
    </>
  );
}
