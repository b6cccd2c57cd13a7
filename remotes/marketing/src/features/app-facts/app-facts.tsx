import { TEAM_PREFIX } from '@app/contracts/brand';
import { Card } from '@app/design-system/card';
import { FactList } from '@app/design-system/fact-list';
import texts from '@app/design-system/text.module.css';
import { t } from './words.ts';

export function NeoFacts() {
  return (
    <Card>
      <h3>{t('info.heading')}</h3>
      <p className={texts.note}>{t('info.neo.note')}</p>
      <AppFacts app="neo" />
    </Card>
  );
}

export function AppFacts({ app }: { app: 'neo' | 'v3' }) {
  return (
    <FactList
      layout="columns"
      facts={[
        { label: t('info.developedBy'), value: TEAM_PREFIX },
        { label: t('info.os'), value: t('info.android') },
        { label: t('info.price'), value: t('info.free') },
        { label: t('info.size'), value: t(`info.${app}.size`) },
        { label: t('info.version'), value: t(`info.${app}.version`) },
        { label: t('info.downloads'), value: t(`info.${app}.downloads`) },
        ...(app === 'neo'
          ? [
              { label: t('info.lastUpdate'), value: t('info.neo.lastUpdate') },
              { label: t('info.releaseDate'), value: t('info.neo.releaseDate') },
            ]
          : []),
      ]}
    />
  );
}
