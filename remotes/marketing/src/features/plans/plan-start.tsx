import { late } from '@app/brand-ui/late';
import { Card } from '@app/design-system/card';
import { CodeLink } from './plan-device.tsx';
import css from './plan-start.module.css';
import { t } from './words.ts';

const StartArt = late(async () => (await import(/* webpackChunkName: "phones" */ './start-art.tsx')).StartArt);

/** The anchor of this part. */
export const PLAN_START = 'start';

const STEPS = ['open', 'tap', 'choose'] as const;

/** For visitors without a device: how one begins in the app, in three pictures, and what else can be done here. */
export function PlanStart() {
  return (
    <div id={PLAN_START} className={css.start}>
      <Card label={t('plans.start.heading')}>
        <h2 className={css.heading}>{t('plans.start.heading')}</h2>
        <p className={css.why}>{t('plans.noDevice')}</p>
        <ol className={css.steps}>
          {STEPS.map((step) => (
            <li key={step} className={css.step}>
              <span className={css.place}>
                <StartArt of={step} />
              </span>
              <span>{t(`plans.start.${step}`)}</span>
            </li>
          ))}
        </ol>
        <div>
          <CodeLink />
        </div>
      </Card>
    </div>
  );
}
