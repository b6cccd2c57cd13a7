import { formatBytes } from '@app/contracts/format-bytes';
import { CopyField } from '@app/design-system/copy-field';
import { FactList } from '@app/design-system/fact-list';
import { locale } from '@app/platform';
import { t } from '../../words.ts';
import css from './download-section.module.css';
import type { Availability } from './use-downloads.ts';

interface FileFactsProps {
  availability: Availability;
  /** The version of the game platform. */
  gameVersion: string;
}

/** The facts of a file. The space of facts that arrive late is reserved. */
export function FileFacts({ availability, gameVersion }: FileFactsProps) {
  const file = typeof availability === 'object' ? availability : undefined;
  const nothing = availability === 'none' ? '–' : undefined;
  const facts = [
    { label: t('downloads.gameVersion'), value: gameVersion },
    { label: t('downloads.appVersion'), value: file?.version ?? nothing },
    { label: t('downloads.size'), value: file ? formatBytes(file.bytes, locale()) : nothing },
  ];

  return (
    <div className={css.facts}>
      <FactList
        layout="columns"
        facts={facts.map(({ label, value }) => ({ label, value: <span className={css.value}>{value}</span> }))}
      />
      {!nothing && <CopyField label={t('downloads.checksum')} value={file?.sha256} />}
    </div>
  );
}
