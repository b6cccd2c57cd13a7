import { ADVERTISER_NAMES, HWID_PATTERN } from '@app/contracts/key-system';
import { Button, buttonClass } from '@app/design-system/button';
import { Page } from '@app/design-system/page';
import { useIsHydrated, useSearchParams, useVisitor } from '@app/platform';
import { useState } from 'react';
import { CaptchaRow } from '../features/captcha/captcha-row.tsx';
import { Captcha } from '../features/captcha/captcha.tsx';
import { askForApp } from '../features/device/ask-for-app.ts';
import { DeviceId } from '../features/device/device-id.tsx';
import { PlatformIcon } from '../features/device/platform-icon.tsx';
import { GatePanel } from '../features/gate/gate-panel.tsx';
import { gateTarget, parseGateAdvertiser } from '../features/gate/gate.ts';
import { RunLayout } from '../features/run/run-layout.tsx';
import { Trailer } from '../features/trailer/trailer.tsx';
import { t } from '../words.ts';
import css from './gate-page.module.css';

/** A captcha before the way to an advertiser. */
export function GatePage() {
  const [query] = useSearchParams();
  const { hwid, os } = useVisitor();
  const isHydrated = useIsHydrated();
  const [isOpen, setIsOpen] = useState(false);

  const advertiser = parseGateAdvertiser(query.get('advertiser'));
  const device = hwid && HWID_PATTERN.test(hwid) ? hwid : undefined;
  const target = device && gateTarget({ hwid: device, advertiser, os });

  function onCaptcha(isPassed: boolean) {
    setIsOpen(isPassed);
    if (isPassed && target) window.location.assign(target);
  }

  return (
    <Page compact heading={t('gate.heading')} lead={t('gate.lead')}>
      <RunLayout
        steps={
          <GatePanel advertiser={advertiser} system={<PlatformIcon os={os} />}>
            {device ? (
              <Captcha hwid={device} os={os} advertiser={advertiser} onChange={onCaptcha} />
            ) : (
              <CaptchaRow>{t(isHydrated ? 'captcha.needsDevice' : 'captcha.loading')}</CaptchaRow>
            )}
            <DeviceId hwid={hwid} />
            <div className={css.way}>
              {isOpen && (
                <a className={buttonClass({ wide: true })} href={target}>
                  {t('gate.goOn', { advertiser: ADVERTISER_NAMES[advertiser] })}
                </a>
              )}
              {isHydrated && !device && (
                <Button wide onClick={() => void askForApp('main')}>
                  {t('getkey.getKey')}
                </Button>
              )}
            </div>
          </GatePanel>
        }
        beside={<Trailer />}
      />
    </Page>
  );
}
