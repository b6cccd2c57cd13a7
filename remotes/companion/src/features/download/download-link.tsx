import { buttonClass } from '@app/design-system/button';
import { Icon } from '@app/design-system/icon';
import { t } from '../../words.ts';
import { FILE_PATH, type AppFile } from './use-app-file.ts';

interface DownloadLinkProps {
  appFile: AppFile;
  /** The card's place on the page, for as long as there is no file to lead to. */
  cardId: string;
}

/** Straight to the file where there is one, else to the card that says how things stand. */
export function DownloadLink({ appFile, cardId }: DownloadLinkProps) {
  return (
    <a className={buttonClass()} href={appFile.status === 'there' ? FILE_PATH : `#${cardId}`}>
      <Icon name="download" />
      {t('download.go')}
    </a>
  );
}
