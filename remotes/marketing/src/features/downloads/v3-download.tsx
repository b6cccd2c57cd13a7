import { Card } from '@app/design-system/card';
import { Section } from '@app/design-system/section';
import type { ReactNode } from 'react';
import { t } from '../../words.ts';
import { DownloadButton } from './download-button.tsx';
import css from './download-section.module.css';
import { FileFacts } from './file-facts.tsx';
import { useDownloads } from './use-downloads.ts';

/** The last build of V3, for who still needs it. Nobody tells its state any more. */
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
