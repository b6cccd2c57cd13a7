import { Card } from '@app/design-system/card';
import { Section } from '@app/design-system/section';
import type { ReactNode } from 'react';
import { t } from '../../words.ts';
import { DownloadButton } from './download-button.tsx';
import css from './download-section.module.css';
import { FileFacts } from './file-facts.tsx';
import { useDownloads } from './use-downloads.ts';

/** The download of the last build of V3. It has no status, because it is discontinued. */
export function V3Download({ children }: { children: ReactNode }) {
  const availability = useDownloads()('v3', 'android');

  return (
    <Section id="downloads" heading={t('downloads.heading')}>
      <div className={css.cards}>
        {children}
        <Card>
          <h3>{t('platform.android')}</h3>
          <FileFacts availability={availability} />
          <DownloadButton app="v3" platform="android" availability={availability} kind="quiet" />
        </Card>
      </div>
    </Section>
  );
}
