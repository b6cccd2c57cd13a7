import { STEPS_PER_SERIES } from '@app/contracts/key-system';
import { buttonClass } from '@app/design-system/button';
import { t } from '../../words.ts';

interface CompleteLinkProps {
  step: number;
  of: number;
  /** Undefined while the step cannot begin; the link is disabled then. */
  href?: string | undefined;
  /** Whether another action of the page comes first. */
  isQuiet?: boolean;
}

/** The link to the advertiser, which looks like a button. */
export function CompleteLink({ step, of, href, isQuiet = false }: CompleteLinkProps) {
  return (
    <a
      className={buttonClass({ wide: true, kind: isQuiet ? 'quiet' : 'primary' })}
      aria-disabled={!href}
      role="link"
      {...(href && { href })}
    >
      {completeLabel(step, of)}
    </a>
  );
}

/** The text of a step's Complete button. The last step of each series has another text. */
export function completeLabel(step: number, of: number): string {
  return step === STEPS_PER_SERIES || step === of ? t('step.completeLast') : t('step.complete');
}
