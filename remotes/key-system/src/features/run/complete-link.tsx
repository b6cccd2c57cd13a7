import { LeaveLink, useLeaving } from '@app/brand-ui/leave';
import { STEPS_PER_SERIES } from '@app/contracts/key-system';
import { t } from '../../words.ts';
import { useStepState } from './step-state.ts';

interface CompleteLinkProps {
  /** Undefined while the step cannot begin; the link is disabled then. */
  href?: string | undefined;
  /** Whether another action of the page comes first. */
  isQuiet?: boolean;
}

/** The link to the advertiser, which looks like a button. */
export function CompleteLink({ href, isQuiet = false }: CompleteLinkProps) {
  const { step, of } = useStepState();
  const leaving = useLeaving();

  return (
    <LeaveLink wide kind={isQuiet ? 'quiet' : 'primary'} href={href} leaving={leaving}>
      {completeLabel(step, of)}
    </LeaveLink>
  );
}

/** The text of a step's Complete button. The last step of each series has another text. */
export function completeLabel(step: number, of: number): string {
  return step === STEPS_PER_SERIES || step === of ? t('step.completeLast') : t('step.complete');
}
