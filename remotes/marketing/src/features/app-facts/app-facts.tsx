import { TEAM_PREFIX } from '@app/contracts/brand';
import { Card } from '@app/design-system/card';
import { FactList } from '@app/design-system/fact-list';
import { t } from './words.ts';

interface Facts {
  os: string;
  price: string;
  size: string;
  version: string;
  downloads: string;
  lastUpdate?: string;
  releaseDate?: string;
}

const APP_FACTS: Record<'neo' | 'v3', Facts> = {
  neo: {
    os: t('info.android'),
    price: t('info.free'),
    size: t('info.neo.size'),
    version: t('info.neo.version'),
    downloads: t('info.neo.downloads'),
    lastUpdate: t('info.neo.lastUpdate'),
    releaseDate: t('info.neo.releaseDate'),
  },
  v3: {
    os: t('info.android'),
    price: t('info.free'),
    size: t('info.v3.size'),
    version: t('info.v3.version'),
    downloads: t('info.v3.downloads'),
  },
};

/** A card with the facts of an app that are part of the site's texts. */
export function AppFacts({ app }: { app: keyof typeof APP_FACTS }) {
  const { lastUpdate, releaseDate, ...facts } = APP_FACTS[app];

  return (
    <Card>
      <h3>{t('info.heading')}</h3>
      <FactList
        layout="columns"
        facts={[
          { label: t('info.developedBy'), value: TEAM_PREFIX },
          { label: t('info.os'), value: facts.os },
          { label: t('info.price'), value: facts.price },
          { label: t('info.size'), value: facts.size },
          { label: t('info.version'), value: facts.version },
          { label: t('info.downloads'), value: facts.downloads },
          ...(lastUpdate ? [{ label: t('info.lastUpdate'), value: lastUpdate }] : []),
          ...(releaseDate ? [{ label: t('info.releaseDate'), value: releaseDate }] : []),
        ]}
      />
    </Card>
  );
}
