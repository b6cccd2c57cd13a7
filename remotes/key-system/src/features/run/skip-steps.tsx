import { PAGES } from '@app/contracts/pages';
import { formatPrice, PLANS } from '@app/contracts/plans';
import { Link } from '@app/platform';
import { t } from '../../words.ts';
import css from './skip-steps.module.css';
import { useStepState } from './step-state.ts';

const LOWEST_PRICE = formatPrice(Math.min(...PLANS.map(({ priceCents }) => priceCents)));

/** Says that a run waits, and links to the plans, with which no steps are needed. */
export function SkipSteps() {
  const { refusal } = useStepState();

  return (
    <p className={css.line}>
      {/* A refusal has more to say. */}
      {!refusal && <span>{t('run.waits')}</span>}
      <Link className={css.link} to={PAGES.plans}>
        {t('plan.skip', { price: LOWEST_PRICE })}
      </Link>
    </p>
  );
}
