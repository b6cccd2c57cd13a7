import { LeaveLink, useLeaving } from '@app/brand-ui/leave';
import { firstAdvertiser } from '@app/contracts/key-system';
import { buttonClass, ButtonRow } from '@app/design-system/button';
import { Notice } from '@app/design-system/notice';
import { Link, useVisitor } from '@app/platform';
import { t } from '../../words.ts';
import { StepPrompt } from './step-prompt.tsx';
import { RefusalNotice } from './refusal-notice.tsx';
import { runAddress, stepLink } from './run-address.ts';
import { useStepState } from './step-state.ts';
import { Waiting } from './waiting.tsx';

interface OtherZoneProps {
  hwid: string;
  isWaiting: boolean;
}

/**
 * Shown when the open run belongs to another zone than the address. The visitor goes on with it or begins a new run.
 */
export function OtherZone({ hwid, isWaiting }: OtherZoneProps) {
  const { app, about, step, namedOs, wanted, refusal, isLate } = useStepState();
  const { zone = '', os } = useVisitor();
  const leaving = useLeaving();
  const goOn = stepLink({
    app,
    step,
    hwid,
    zone,
    os,
    namedOs,
    advertiser: firstAdvertiser(app, step, wanted, about?.advertisers),
    run: 'keep',
  });
  const actions = (
    <ButtonRow>
      <LeaveLink href={goOn} leaving={leaving}>
        {t('zone.goOn')}
      </LeaveLink>
      <Link className={buttonClass({ kind: 'quiet' })} to={runAddress(app, 1, { run: 'new' })}>
        {t('zone.startAgain')}
      </Link>
    </ButtonRow>
  );

  return (
    <StepPrompt action={actions}>
      {isWaiting && <Waiting isLate={isLate} />}
      {refusal && <RefusalNotice refusal={refusal} />}
      <Notice title={t('zone.other')}>{t('zone.otherWhy')}</Notice>
    </StepPrompt>
  );
}
