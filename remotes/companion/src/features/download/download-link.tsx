import { buttonClass } from '@app/design-system/button';
import { Icon } from '@app/design-system/icon';
import { t } from '../../words.ts';
import { DOWNLOAD_PATH, type Download } from './use-download.ts';

interface DownloadLinkProps {
  download: Download;
  /** The card's place on the page, for as long as there is no file to lead to. */
  cardId: string;
}

/** Straight to the file where there is one, else to the card that says how things stand. */
export function DownloadLink({ download, cardId }: DownloadLinkProps) {
  return (
    <a className={buttonClass()} href={download.status === 'there' ? DOWNLOAD_PATH : `#${cardId}`}>
      <Icon name="download" />
      {t('download.go')}
    </a>
  );
}
