import { LaunchLink } from '@app/brand-ui/launch';
import { PAGES } from '@app/contracts/pages';
import { buttonClass } from '@app/design-system/button';
import { Icon } from '@app/design-system/icon';
import { StickyAction } from '@app/design-system/sticky-action';
import { Link } from '@app/platform';
import { t } from '../../words.ts';
import css from './plan-ready.module.css';
import { describePlan, type DevicePlan } from './running-plan.ts';

/** Stands in place of the steps for a device with a plan: until when it runs, and the link that opens the app. */
export function PlanReady({ plan, links }: { plan: DevicePlan; links: { href: string; getFrom: string } }) {
  return (
    <section className={css.ready}>
      <span className={css.sign}>
        <Icon name="check" size={28} />
      </span>
      <div className={css.status} role="status">
        <h2>{describePlan(plan)}</h2>
        <p className={css.text}>{t('plan.noSteps')}</p>
      </div>
      <StickyAction inPlace>
        <LaunchLink {...links}>{t('getkey.launch')}</LaunchLink>
      </StickyAction>
      {plan.plan.renewable && (
        <Link className={buttonClass({ kind: 'quiet' })} to={PAGES.plans}>
          {t('plan.renew')}
        </Link>
      )}
    </section>
  );
}
