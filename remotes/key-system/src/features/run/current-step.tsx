import { listAdvertisers, type AdvertiserId, type AppId, type OperatingSystem } from '@app/contracts/key-system';
import { buttonClass } from '@app/design-system/button';
import { useState } from 'react';
import { t } from '../../words.ts';
import { Captcha } from '../captcha/captcha.tsx';
import { AdvertiserChoice } from './advertiser-choice.tsx';
import css from './current-step.module.css';
import { stepLink } from './run-address.ts';

interface CurrentStepProps {
  app: AppId;
  step: number;
  of: number;
  /** A run that is not yet open asks for the captcha first. */
  isNew: boolean;
  hwid: string;
  zone: string;
  os: OperatingSystem;
  /** The advertiser to begin with. */
  advertiser: AdvertiserId;
  /** Told which advertiser was chosen, so that the address can remember it. */
  onChoose: (advertiser: AdvertiserId) => void;
}

/** What a step asks for: an advertiser, for a new run the captcha, then one button out to the advertiser. */
export function CurrentStep({ app, step, of, isNew, hwid, zone, os, advertiser, onChoose }: CurrentStepProps) {
  const [hasPassed, setHasPassed] = useState(false);
  const [chosen, setChosen] = useState(advertiser);
  const offered = listAdvertisers(app, step);
  const isReady = hasPassed || !isNew;

  function choose(next: AdvertiserId) {
    setChosen(next);
    onChoose(next);
  }

  return (
    <>
      {offered.length > 1 && <AdvertiserChoice offered={offered} chosen={chosen} onChoose={choose} />}
      {isNew && <Captcha hwid={hwid} os={os} advertiser={chosen} onPassed={() => setHasPassed(true)} />}
      <div className={css.action}>
        <a
          className={buttonClass({ wide: true })}
          aria-disabled={!isReady}
          role="link"
          {...(isReady && { href: stepLink({ app, step, hwid, zone, os, advertiser: chosen }) })}
        >
          {completeLabel(step, of)}
        </a>
      </div>
    </>
  );
}

/** The last step of each series gives it away: after the first comes more, after the last the key. */
function completeLabel(step: number, of: number): string {
  return step % 3 === 0 && (step === of || step === 3) ? t('step.completeLast') : t('step.complete');
}
