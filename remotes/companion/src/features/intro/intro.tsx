import { AppMark } from '@app/brand-ui/app-mark';
import { still } from '@app/brand-ui/still';
import { COMPANION } from '@app/contracts/brand';
import { Badge } from '@app/design-system/badge';
import { Eyebrow } from '@app/design-system/eyebrow';
import { Orbs } from '@app/design-system/orbs';
import type { ReactNode } from 'react';
import { t } from '../../words.ts';
import css from './intro.module.css';
// The styles of the phone, which the first paint has.
import '@app/brand-ui/device-frame.module.css';
import '@app/brand-ui/device/scene.module.css';

export const IntroDevice = still(
  async () => (await import(/* webpackChunkName: "intro-device" */ './intro-device.tsx')).IntroDevice,
);

const FACTS = ['download.os.value', 'intro.downloads'] as const;

/** Phones hide the actions, because there the same links stick to the bottom edge. */
export function Intro({ actions }: { actions: ReactNode }) {
  return (
    <header className={css.intro} data-app="companion">
      <div className={css.inside}>
        <div className={css.description}>
          <div className={css.name}>
            <AppMark app="companion" size={64} />
            <div>
              <Eyebrow>{t('intro.eyebrow')}</Eyebrow>
              <h1 className={css.heading}>{COMPANION.label}</h1>
            </div>
          </div>
          <p className={css.lead}>{t('intro.lead')}</p>
          <ul className={css.facts}>
            <li>
              <Badge kind="free">{t('download.price.value')}</Badge>
            </li>
            {FACTS.map((fact) => (
              <li key={fact}>
                <Badge>{t(fact)}</Badge>
              </li>
            ))}
          </ul>
          <div className={css.actions}>{actions}</div>
        </div>
        <div className={css.device}>
          <IntroDevice />
        </div>
      </div>
      <Orbs />
    </header>
  );
}
