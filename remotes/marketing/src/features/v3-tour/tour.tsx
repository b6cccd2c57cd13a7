import { PAGES } from '@app/contracts/pages';
import { buttonClass } from '@app/design-system/button';
import { Section } from '@app/design-system/section';
import { Link } from '@app/platform';
import type { ReactNode } from 'react';
import { t as common } from '../../words.ts';
import { ART_PLACE } from '../../art-place.tsx';
import { late } from '../../late.tsx';
import css from './tour.module.css';
import { t } from './words.ts';

const TourArt = late(async () => (await import(/* webpackChunkName: "drawings" */ './tour-art.tsx')).TourArt);

type Part = 'ui' | 'icon' | 'performance' | 'keyboard' | 'editor' | 'key' | 'plans' | 'security';

/**
 * The parts of V3, each with a drawing and a text. The page passes the video, because features do not know each other.
 */
export function Tour({ video }: { video: ReactNode }) {
  const plans = (
    <Link className={buttonClass({ kind: 'quiet' })} to={PAGES.plans}>
      {common('action.seePlans')}
    </Link>
  );

  return (
    <Section id="tour" heading={t('v3.tour')} lead={t('v3.tourLead')}>
      <div className={css.tour} data-app="v3">
        <Stop part="ui" />
        <Stop part="icon" />
        <Stop part="performance" action={video} />
        <Stop part="keyboard" />
        <Stop part="editor" />
        <Stop part="key" />
        <Stop part="plans" action={plans} />
        <Stop part="security" />
      </div>
    </Section>
  );
}

function Stop({ part, action }: { part: Part; action?: ReactNode }) {
  return (
    <section id={part} className={css.stop} aria-labelledby={`${part}-heading`}>
      <div className={css.art}>
        <div className={ART_PLACE}>
          <TourArt of={part} />
        </div>
      </div>
      <div className={css.words}>
        <h3 id={`${part}-heading`}>{t(`v3.${part}.title`)}</h3>
        <p className={css.text}>{t(`v3.${part}.text`)}</p>
        {action && <div className={css.action}>{action}</div>}
      </div>
    </section>
  );
}
