import { STEPS_PER_SERIES } from '@app/contracts/key-system';
import { buttonClass } from '@app/design-system/button';
import { t } from '../../words.ts';

interface CompleteLinkProps {
  step: number;
  of: number;
  /** Nowhere, as long as the step cannot be begun. */
  href?: string | undefined;
}

/** The way out to the advertiser. */
export function CompleteLink({ step, of, href }: CompleteLinkProps) {
  return (
    <a className={buttonClass({ wide: true })} aria-disabled={!href} role="link" {...(href && { href })}>
      {completeLabel(step, of)}
    </a>
  );
}

/** The last step of each series gives it away: after the first comes more, after the last the key. */
export function completeLabel(step: number, of: number): string {
  return step === STEPS_PER_SERIES || step === of ? t('step.completeLast') : t('step.complete');
}
