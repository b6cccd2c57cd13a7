import { SystemIcon } from '@app/brand-ui/system-icon';
import { COMPANION, TEAM_PREFIX } from '@app/contracts/brand';
import { type AvailableDownload, downloadsSchema } from '@app/contracts/downloads';
import { formatBytes } from '@app/contracts/format-bytes';
import { Button, buttonClass } from '@app/design-system/button';
import { CopyField } from '@app/design-system/copy-field';
import { FactList } from '@app/design-system/fact-list';
import { Icon } from '@app/design-system/icon';
import { ApiError, callApi, locale, useQuery } from '@app/platform';
import { t } from '../../words.ts';
import css from './download-card.module.css';

interface DownloadCardProps {
  appFile: AppFile;
  onRetry: () => void;
}

export function DownloadCard({ appFile, onRetry }: DownloadCardProps) {
  return (
    <div className={css.card} data-app="companion">
      <div className={css.app}>
        <SystemIcon system="android" size={24} />
        <h3 className={css.name}>{t('download.name', { app: COMPANION.label })}</h3>
      </div>
      <div className={css.facts}>
        <FactList
          layout="columns"
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
        <File appFile={appFile} onRetry={onRetry} />
      </div>
    </div>
  );
}

function File({ appFile, onRetry }: DownloadCardProps) {
  if (appFile.status === 'checking') {
    return (
      <>
        <FileLink />
        <p className={css.text} data-needs-script>
          {t('download.checking')}
        </p>
      </>
    );
  }

  if (appFile.status === 'none') {
    return (
      <>
        <Button wide disabled>
          {t('download.none')}
        </Button>
        <p className={css.text}>{t('download.none.text')}</p>
      </>
    );
  }

  if (appFile.status === 'failed') {
    return (
      <>
        <Button wide kind="quiet" onClick={onRetry}>
          {t('download.failed')}
        </Button>
        <p className={css.text}>{t(appFile.isReached ? 'download.failed.ours' : 'download.failed.text')}</p>
      </>
    );
  }

  const { version, bytes, sha256 } = appFile.file;
  return (
    <>
      <FileLink />
      <p className={css.text}>{t('download.file', { version, size: formatBytes(bytes, locale()) })}</p>
      <CopyField label={t('download.sha')} value={sha256} />
    </>
  );
}

function FileLink() {
  return (
    <a className={buttonClass({ wide: true })} href={FILE_PATH}>
      <Icon name="download" />
      {t('download.go')}
    </a>
  );
}

/** A link to the file, or to the download card when it is known that there is no file. */
export function DownloadLink({ appFile, cardId }: { appFile: AppFile; cardId: string }) {
  return (
    <a className={buttonClass()} href={['checking', 'there'].includes(appFile.status) ? FILE_PATH : `#${cardId}`}>
      <Icon name="download" />
      {t('download.go')}
    </a>
  );
}

const FILE_PATH = '/download/companion/android';

/** `isReached` tells a fault of the server from one of the connection. */
export type AppFile =
  | { status: 'checking' }
  | { status: 'none' }
  | { status: 'failed'; isReached: boolean }
  | { status: 'there'; file: AvailableDownload };

export function useAppFile(): { appFile: AppFile; retry: () => void } {
  const { status, data, error, isFetching, refetch } = useQuery('/api/downloads', (signal) =>
    callApi(downloadsSchema, '/api/downloads', { signal }),
  );

  return { appFile: readAppFile(), retry: refetch };

  function readAppFile(): AppFile {
    if (status === 'failed' && !isFetching) return { status, isReached: error instanceof ApiError };
    if (status !== 'ready') return { status: 'checking' };

    const file = data['companion']?.['android'];
    return file ? { status: 'there', file } : { status: 'none' };
  }
}
