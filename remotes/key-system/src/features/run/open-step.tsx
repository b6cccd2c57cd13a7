import {
  ADVERTISER_NAMES,
  firstAdvertiser,
  isSpecified,
  parseAdvertiser,
  type AdvertiserId,
} from '@app/contracts/key-system';
import { Button } from '@app/design-system/button';
import { Icon } from '@app/design-system/icon';
import { useSearchParams, useVisitor } from '@app/platform';
import { useState } from 'react';
import { t } from '../../words.ts';
import { CaptchaRow } from '../captcha/captcha-row.tsx';
import { Captcha } from '../captcha/captcha.tsx';
import { AdvertiserChoice, FORM } from './advertiser-choice.tsx';
import { StepPrompt } from './step-prompt.tsx';
import { listOffers, pickUsable } from './choose-advertiser.ts';
import { completeLabel, CompleteLink } from './complete-link.tsx';
import { NoScript, NoScriptForm } from '../../no-script.tsx';
import { GoOnAt, renderCaptchaWait } from '../wait/go-on-at.tsx';
import css from './open-step.module.css';
import { RefusalNotice } from './refusal-notice.tsx';
import type { Refusal } from './refusals.ts';
import { stepLink } from './run-address.ts';
import { useStepState } from './step-state.ts';
import { useHeld } from '../wait/use-held.ts';
import { Waiting } from './waiting.tsx';
import { WhatComes } from './what-comes.tsx';

/**
 * A step that can be completed: the choice of an advertiser, the captcha for a new run, and the link to the advertiser.
 */
export function OpenStep() {
  const { app, about, step, of, reading, namedOs, keyEnded, wanted, refusal, isNewRun, isLate, reload } =
    useStepState();
  const { hwid, zone, os } = useVisitor();
  const [query, setQuery] = useSearchParams();
  const [hasPassed, setHasPassed] = useState(false);
  const [isChecking, setIsChecking] = useState(false);
  const [picked, setPicked] = useState<AdvertiserId>();
  const until = refusal?.until;
  const [isHeld, release] = useHeld(until);

  const state = reading.status === 'ready' ? reading.state : undefined;
  const offers = listOffers(app, step, state?.advertisers, about?.advertisers);
  const chosen = pickUsable(offers, picked ?? firstAdvertiser(app, step, wanted, about?.advertisers));
  const isOpen = Boolean(state?.run);
  const isAwaited = Boolean(state?.run?.waiting);
  const serverOffsetMs = reading.status === 'ready' ? reading.serverOffsetMs : 0;
  // The server decides about the start of a step anyway. What the visitor waits for only the state knows.
  const isEarly = !state && !isHeld && step > 1 && !query.has('wait');
  const isReady = !isHeld && (isOpen || (state && hasPassed));

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

  function renderRefusal(told: Refusal) {
    const wait = until !== undefined && <GoOnAt until={until} serverOffsetMs={serverOffsetMs} isOver={!isHeld} />;
    return <RefusalNotice refusal={told} wait={wait} />;
  }

  function renderMessage() {
    if (isAwaited) return <Waiting isLate={isLate} />;
    if (refusal) return renderRefusal(refusal);
    if (keyEnded && !isOpen)
      return (
        <p role="status">
          <strong>{keyEnded}</strong> <span>{t('key.again')}</span>
        </p>
      );
    if (!state) {
      return (
        <p className={css.looking} role="status">
          {t('run.looking')}
        </p>
      );
    }
    if (!chosen) return <p role="status">{t('advertiser.noneUsable')}</p>;
    return (
      <p>
        {state.run?.zone === 'moves' && <span>{t('zone.moves')} </span>}
        <span>{t(isOpen ? 'step.ask' : 'step.askNew', { advertiser: ADVERTISER_NAMES[chosen] })}</span>
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
        <Button wide kind="quiet" onClick={reload}>
          {t('advertiser.lookAgain')}
        </Button>
      );
    }
    const link =
      hwid && (isEarly || (chosen && isReady))
        ? stepLink({
            app,
            step,
            hwid,
            zone,
            os,
            namedOs,
            advertiser: chosen ?? parseAdvertiser(wanted),
            run: isNewRun ? 'new' : undefined,
          })
        : undefined;
    const complete = (
      <CompleteLink
        href={link}
        advertiser={isAwaited ? undefined : chosen}
        isQuiet={isAwaited && !isLate}
        isEarly={isEarly}
        isChecking={isChecking && !link && !isHeld}
        wait={isHeld && until !== undefined ? { until, serverOffsetMs, onEnd: release } : undefined}
      />
    );
    if (!state)
      return (
        <>
          {complete}
          <NoScriptForm id={FORM} kind={step === 1 ? 'quiet' : 'primary'}>
            {step === 1 ? t('noScript.goOn') : completeLabel(step, of, isSpecified(app))}
          </NoScriptForm>
        </>
      );
    if (!isAwaited) return complete;

    // At first a retry helps; once the confirmation is late, beginning the step again does.
    const look = (
      <Button wide kind={isLate ? 'quiet' : 'primary'} onClick={reload}>
        {t('waiting.look')}
      </Button>
    );
    return (
      <>
        {isLate ? complete : look}
        {isLate ? look : complete}
      </>
    );
  }

  const choice = <AdvertiserChoice offers={offers} chosen={chosen} onChoose={choose} />;
  return (
    <StepPrompt action={renderAction()}>
      <div className={css.message}>
        {renderMessage()}
        <NoScript>{t(step === 1 ? 'noScript.begin' : 'noScript.step')}</NoScript>
      </div>
      {isSpecified(app) && choice}
      {step === 1 && renderCaptcha()}
      <WhatComes />
      {/* Last, so that nothing moves when it is known what a registered app offers. */}
      {!isSpecified(app) && about && choice}
    </StepPrompt>
  );
}
