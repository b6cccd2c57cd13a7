import { Card } from '@app/design-system/card';
import texts from '@app/design-system/text.module.css';
import { PhoneSteps } from '../../art/art.tsx';
import { CodeLink } from './plan-device.tsx';
import css from './plan-start.module.css';
import { t } from './words.ts';

export const PLAN_START = 'start';

const STEPS = ['open', 'tap', 'choose'] as const;

/** For visitors without a device: how one begins in the app, in three pictures, and what else can be done here. */
export function PlanStart() {
  return (
    <div id={PLAN_START} className={css.start}>
      <Card label={t('plans.start.heading')}>
        <h2 className={css.heading}>{t('plans.start.heading')}</h2>
        <p className={texts.quiet}>{t('plans.noDevice')}</p>
        <PhoneSteps isWide steps={STEPS.map((phone) => ({ phone, text: t(`plans.start.${phone}`) }))} />
        <div>
          <CodeLink />
        </div>
      </Card>
    </div>
  );
}
