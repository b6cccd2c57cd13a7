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

export const APP_FACTS: Record<'neo' | 'v3', Facts> = {
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
