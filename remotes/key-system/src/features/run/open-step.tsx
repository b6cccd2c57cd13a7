import { ADVERTISER_NAMES, type AdvertiserId } from '@app/contracts/key-system';
import { Button } from '@app/design-system/button';
import { Icon } from '@app/design-system/icon';
import { useIsHydrated } from '@app/platform';
import { useState } from 'react';
import { t } from '../../words.ts';
import { CaptchaRow } from '../captcha/captcha-row.tsx';
import { Captcha } from '../captcha/captcha.tsx';
import { askForApp } from '../device/ask-for-app.ts';
import { AdvertiserChoice } from './advertiser-choice.tsx';
import { Asks } from './asks.tsx';
import { listOffers, pickUsable, startsWith } from './choose-advertiser.ts';
import { CompleteLink, completeLabel } from './complete-link.tsx';
import css from './open-step.module.css';
import { RefusalNotice } from './refusal-notice.tsx';
import { stepLink } from './run-address.ts';
import type { CurrentStepProps } from './step-props.ts';
import { Waiting } from './waiting.tsx';

/** A step at work: an advertiser, for a new run the captcha, then one button out to the advertiser. */
export function OpenStep({ app, step, of, reading, visitor, wanted, refusal, isNewRun, isLate, onChoose, reload }: CurrentStepProps) {
  const { hwid, zone, os } = visitor;
  const [hasPassed, setHasPassed] = useState(false);
  const [picked, setPicked] = useState<AdvertiserId>();
  const isHydrated = useIsHydrated();

  const state = reading.status === 'ready' ? reading.state : undefined;
  const offers = listOffers(app, step, state?.advertisers);
  const chosen = pickUsable(offers, picked ?? startsWith(app, step, wanted));
  const device = hwid && zone ? { hwid, zone } : undefined;
  const isOpen = Boolean(state?.run);
  const isReady = isOpen || (state && hasPassed);

  function choose(advertiser: AdvertiserId) {
    setPicked(advertiser);
    onChoose(advertiser);
  }

  function renderMessage() {
    if (isHydrated && !device) return <p>{t('device.howTo')}</p>;
    if (state?.run?.waiting) return <Waiting isLate={isLate} />;
    if (refusal) return <RefusalNotice refusal={refusal} />;
    if (!state) return <p role="status">{t('run.looking')}</p>;
    if (!chosen) return <p role="status">{t('advertiser.noneUsable')}</p>;
    return (
      <p>
        {state.run?.zone === 'moves' && `${t('zone.moves')} `}
        {t(isOpen ? 'step.ask' : 'step.askNew', { advertiser: ADVERTISER_NAMES[chosen] })}
      </p>
    );
  }

  function renderCaptcha() {
    if (isHydrated && !device) return <CaptchaRow>{t('captcha.needsDevice')}</CaptchaRow>;
    if (!state || !device) return <CaptchaRow>{t('captcha.loading')}</CaptchaRow>;
    if (isOpen) return <CaptchaRow><Icon name="check" size={18} /> {t('captcha.notAgain')}</CaptchaRow>;
    return <Captcha hwid={device.hwid} os={os} advertiser={chosen ?? ''} onChange={setHasPassed} />;
  }

  function renderAction() {
    if (isHydrated && !device) {
      return (
        <Button wide onClick={() => void askForApp(app)}>
          {completeLabel(step, of)}
        </Button>
      );
    }
    if (state && !chosen) {
      return (
        <Button wide kind="quiet" onClick={reload}>
          {t('advertiser.lookAgain')}
        </Button>
      );
    }
    const link = device && chosen && isReady ? stepLink({ app, step, ...device, os, advertiser: chosen, run: isNewRun ? 'new' : undefined }) : undefined;
    return <CompleteLink step={step} of={of} href={link} />;
  }

  return (
    <Asks app={app} step={step} action={renderAction()}>
      <div className={css.message}>{renderMessage()}</div>
      <AdvertiserChoice offers={offers} chosen={chosen} onChoose={choose} />
      {step === 1 && renderCaptcha()}
    </Asks>
  );
}
