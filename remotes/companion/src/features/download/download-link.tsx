import { buttonClass } from '@app/design-system/button';
import { Icon } from '@app/design-system/icon';
import { t } from '../../words.ts';
import { FILE_PATH, type AppFile } from './use-app-file.ts';

interface DownloadLinkProps {
  appFile: AppFile;
  /** The id of the download card. The link leads there while no file is available. */
  cardId: string;
}

/** A link to the file, or to the download card when it is known that there is no file. */
export function DownloadLink({ appFile, cardId }: DownloadLinkProps) {
  return (
    <a className={buttonClass()} href={['checking', 'there'].includes(appFile.status) ? FILE_PATH : `#${cardId}`}>
      <Icon name="download" />
      {t('download.go')}
    </a>
  );
}
