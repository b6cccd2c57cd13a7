import { PAGES } from '@app/contracts/pages';
import { buttonClass } from '@app/design-system/button';
import { FeatureGrid } from '@app/design-system/feature-grid';
import { Section } from '@app/design-system/section';
import { VisuallyHidden } from '@app/design-system/visually-hidden';
import { Link } from '@app/platform';
import type { ReactNode } from 'react';
import { Art } from '../../art/art.tsx';
import { Promo } from '../../promo.tsx';
import { t as common } from '../../words.ts';
import css from './neo-story.module.css';
import { t } from './words.ts';

interface NeoDemoProps {
  trailer: ReactNode;
  /** A video in portrait format. Beside the trailer it has the same height. */
  short: ReactNode;
}

export function NeoDemo({ trailer, short }: NeoDemoProps) {
  return (
    <Section id="demo" heading={t('neo.demo.heading')} lead={t('neo.demo.lead')}>
      <div className={css.videos}>
        {trailer}
        <div className={css.short}>{short}</div>
      </div>
    </Section>
  );
}

const ART = { free: 'neoKey', light: 'neoRun', both: 'neoTwice' } as const;

export function NeoWhy() {
  return (
    <Section id="why" heading={t('neo.why.heading')}>
      <FeatureGrid
        features={(['free', 'light', 'both'] as const).map((reason) => ({
          title: t(`neo.why.${reason}.title`),
          text: t(`neo.why.${reason}.text`),
          art: <Art of={ART[reason]} />,
        }))}
      />
    </Section>
  );
}

/** The promotion of V5 on the page of NEO: what V5 has and NEO does not. */
export function MoreInV5() {
  return (
    <Promo
      id="more"
      app="v5"
      eyebrow={t('neo.more.eyebrow')}
      heading={t('neo.more.heading')}
      action={
        <Link className={buttonClass({ kind: 'quiet' })} to={`${PAGES.v5}#compare`}>
          {common('action.learnMore')}{' '}
          <VisuallyHidden>{common('choose.about', { app: common('choose.v5.title') })}</VisuallyHidden>
        </Link>
      }
      art={
        <div className={css.place}>
          <Art of="v5Answer" />
        </div>
      }
    >
      {t('neo.more.text')}
    </Promo>
  );
}
