import {
  ADVERTISER_NAMES,
  DEFAULT_ADVERTISER,
  firstAdvertiser,
  parseAdvertiser,
  type AdvertiserId,
} from '@app/contracts/advertisers';
import { isSpecified } from '@app/contracts/key-system';
import { Button } from '@app/design-system/button';
import { Icon } from '@app/design-system/icon';
import { useSearchParams, useVisitor } from '@app/platform';
import { useState } from 'react';
import { NoScript, NoScriptForm } from '../../no-script.tsx';
import { t } from '../../words.ts';
import { PlanEnded } from '../plan/plan-ended.tsx';
import { Captcha, CaptchaRow } from '../captcha/captcha.tsx';
import { useAsking } from '../wait/use-asking.ts';
import { renderCaptchaWait, ResumeAt, useDisabledUntil } from '../wait/resume-at.tsx';
import { AdvertiserChoice, STEP_FORM_ID, listOffers, pickUsable } from './advertiser-choice.tsx';
import { completeLabel, CompleteLink } from './complete-link.tsx';
import css from './open-step.module.css';
import { RefusalNotice } from './refusals.tsx';
import { stepLink } from './run-address.ts';
import { StepPrompt, useStepState, Waiting } from './step-prompt.tsx';

/** A step that can be completed: the advertisers, the captcha for a new run, and the link. */
export function OpenStep() {
  const known = useStepState();
  const { app, about, step, namedOs, requestedAdvertiser, isLate, reload, isFetching } = known;
  const { state, serverOffsetMs } = known.reading;
  const { hwid, zone, os } = useVisitor();
  const [query, setQuery] = useSearchParams();
  const [hasPassed, setHasPassed] = useState(false);
  const [isChecking, setIsChecking] = useState(false);
  const [picked, setPicked] = useState<AdvertiserId>();
  // Only who has begun is at a step.
  const refusal = known.refusal?.code === 'KS_STEP' && state && !state.run ? undefined : known.refusal;
  const { ask, isAsking, answeredAt } = useAsking(reload, isFetching);
  const until = refusal?.until;
  const [isDisabled, enable] = useDisabledUntil(until);

  const offers = listOffers(app, step, state?.advertisers, about?.advertisers);
  const chosen = pickUsable(offers, picked ?? firstAdvertiser(app, step, requestedAdvertiser, about?.advertisers));
  const isOpen = Boolean(state?.run);
  const isAwaited = Boolean(state?.run?.waiting);
  // The server decides about the start of a step anyway. What the visitor waits for only the state knows.
  const isEarly = !state && !isDisabled && step > 1 && !query.has('wait');
  const isReady = !isDisabled && (isOpen || (state && hasPassed));

  function choose(advertiser: AdvertiserId) {
    setPicked(advertiser);
    setQuery(
      (now) => {
        const next = new URLSearchParams(now);
        next.set('advertiser', advertiser);
        return next;
      },
      { replace: true },
    );
  }

  function renderMessage() {
    if (isAwaited) return <Waiting isLate />;
    if (refusal) {
      const wait = until !== undefined && (
        <ResumeAt until={until} serverOffsetMs={serverOffsetMs} isOver={!isDisabled} />
      );
      return <RefusalNotice refusal={refusal} wait={wait} />;
    }
    if (state && !chosen) return <p role="status">{t('advertiser.noneUsable')}</p>;
    if (known.keyEnded && !isOpen)
      return (
        <p role="status">
          <strong>{known.keyEnded}</strong> <span>{t('key.again')}</span>
        </p>
      );
    if (state?.endedPlan && !isOpen) return <PlanEnded ended={state.endedPlan} serverOffsetMs={serverOffsetMs} />;
    if (!state && step === 1) {
      return (
        <p data-needs-script role="status">
          {t('run.looking')}
        </p>
      );
    }
    const moves = state?.run?.zone === 'moves' && <span>{t('zone.moves')} </span>;
    // The choice says it itself.
    if (offers.length > 1 && step > 1) return moves && <p>{moves}</p>;
    const advertiser = ADVERTISER_NAMES[chosen ?? offers[0]?.id ?? DEFAULT_ADVERTISER];
    return (
      <p>
        {moves}
        <span>{t(isOpen || hasPassed || step > 1 ? 'step.ask' : 'step.askNew', { advertiser })}</span>
      </p>
    );
  }

  function renderCaptcha() {
    if (!state || !hwid) return <CaptchaRow>{t('captcha.loading')}</CaptchaRow>;
    if (isOpen)
      return (
        <CaptchaRow>
          <Icon name="check" size={18} /> {t('captcha.notAgain')}
        </CaptchaRow>
      );
    return (
      <Captcha
        hwid={hwid}
        os={os}
        advertiser={chosen ?? ''}
        onChange={setHasPassed}
        onWork={setIsChecking}
        renderWait={renderCaptchaWait}
      />
    );
  }

  function renderAction() {
    if (state && !chosen) {
      return (
        <Button wide kind="quiet" disabled={isAsking} onClick={ask}>
          {t(isAsking ? 'captcha.checking' : 'advertiser.lookAgain')}
        </Button>
      );
    }
    const advertiser = chosen ?? parseAdvertiser(requestedAdvertiser);
    const run = known.isNewRun ? 'new' : undefined;
    const link =
      hwid && (isEarly || (chosen && isReady))
        ? stepLink({ app, step, hwid, zone, os, namedOs, advertiser, run })
        : undefined;
    const complete = (
      <CompleteLink
        href={link}
        isQuiet={isAwaited && !isLate}
        isAgain={isAwaited && !isLate}
        isEarly={isEarly}
        isChecking={isChecking && !link && !isDisabled}
        wait={isDisabled && until !== undefined ? { until, serverOffsetMs, onEnd: enable } : undefined}
      />
    );
    if (!state)
      return (
        <>
          {complete}
          <NoScriptForm id={STEP_FORM_ID} kind={step === 1 ? 'quiet' : 'primary'}>
            {step === 1 ? t('noScript.goOn') : completeLabel(known)}
          </NoScriptForm>
        </>
      );
    if (!isAwaited) return complete;

    // At first a retry helps; once the confirmation is late, beginning the step again does.
    const look = (
      <Button wide kind={isLate ? 'quiet' : 'primary'} disabled={isAsking} onClick={ask}>
        {t(isAsking ? 'captcha.checking' : 'waiting.look')}
      </Button>
    );
    return (
      <>
        {isLate ? complete : look}
        {isLate ? look : complete}
      </>
    );
  }

  // The room of the choice is the notice's, until another choice may help.
  if (isAwaited && !isLate)
    return (
      <StepPrompt action={renderAction()}>
        <Waiting checkedAt={answeredAt} />
      </StepPrompt>
    );

  const choice = <AdvertiserChoice offers={offers} chosen={chosen} onChoose={choose} />;
  return (
    <StepPrompt action={renderAction()}>
      <div className={css.message} data-changes={step === 1 || offers.length < 2}>
        {renderMessage()}
        <NoScript>{t(step === 1 ? 'noScript.begin' : 'noScript.step')}</NoScript>
      </div>
      {isSpecified(app) && choice}
      {step === 1 && renderCaptcha()}
      {/* Last, so that nothing moves when it is known what a registered app offers. */}
      {!isSpecified(app) && about && choice}
    </StepPrompt>
  );
}
