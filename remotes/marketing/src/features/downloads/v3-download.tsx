import { Card } from '@app/design-system/card';
import { CopyField } from '@app/design-system/copy-field';
import { Section } from '@app/design-system/section';
import type { ReactNode } from 'react';
import { t } from '../../words.ts';
import { DownloadButton } from './download-button.tsx';
import { useDownloads } from './use-downloads.ts';

/** The download of the last build of V3, with facts of the app. It has no status, because it is discontinued. */
export function V3Download({ children }: { children: ReactNode }) {
  const availability = useDownloads()('v3', 'android');

  return (
    <Section id="downloads" layout="beside" heading={t('downloads.heading')}>
      <Card>
        <h3>{t('platform.android')}</h3>
        {children}
        {availability !== 'none' && (
          <CopyField
            label={t('downloads.checksum')}
            value={typeof availability === 'object' ? availability.sha256 : undefined}
          />
        )}
        <DownloadButton app="v3" platform="android" availability={availability} kind="quiet" />
      </Card>
    </Section>
  );
}
