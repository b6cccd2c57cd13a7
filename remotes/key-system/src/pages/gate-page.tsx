import { LeaveLink, useLeaving } from '@app/brand-ui/leave';
import { ADVERTISER_NAMES, listAdvertisers, pickAdvertiser } from '@app/contracts/advertisers';
import { FactList } from '@app/design-system/fact-list';
import { GlowFrame } from '@app/design-system/glow-frame';
import { Page } from '@app/design-system/page';
import { StickyAction } from '@app/design-system/sticky-action';
import {
  ShowLazyPage,
  siteSettings,
  useKnownDevice,
  useLocation,
  useSearchParams,
  useVisitor,
  withQuery,
} from '@app/platform';
import { useState } from 'react';
import { Captcha } from '../features/captcha/captcha.tsx';
import { preloadWidget } from '../features/captcha/load-widget.ts';
import { DeviceId, PlatformIcon } from '../features/device/device.tsx';
import { t as tGate } from '../features/gate/words.ts';
import { RunLayout } from '../features/run/layouts.tsx';
import { refusalIn, RefusalNotice } from '../features/run/refusals.tsx';
import { useRunState } from '../features/run/run-state.ts';
import { Trailer } from '../features/trailer/trailer.tsx';
import { renderCaptchaWait, ResumeAt, useDisabledUntil } from '../features/wait/resume-at.tsx';
import { NoScript } from '../no-script.tsx';
import { t } from '../words.ts';
import { beginPage } from './begin.ts';
import { hasNoSteps } from './no-steps-state.ts';
import { NoSteps } from './no-steps.tsx';
import { isDeviceNamed, withBegin } from './with-begin.ts';
import css from './gate-page.module.css';

/** How many steps the gate announces for the first advertiser of step 1; one more for each one after it. */
const USUAL_STEPS = 2;

/** Marks a history entry from which the gate has led on, so that it does not lead on again after the back button. */
const HAS_REDIRECTED = 'gate has led';

/**
 * The gate: a captcha, then the advertiser. The first time it leads on by itself. After the back button or a refusal
 * the visitor has to click a link. A device with a plan stays here.
 */
function GatePage() {
  const [query, setQuery] = useSearchParams();
  const { state: kept } = useLocation() as { state: unknown };
  const { hwid, zone, os } = useVisitor();
  const isDeviceNamed = useKnownDevice() !== 'none';
  const leaving = useLeaving();
  const [isOpen, setIsOpen] = useState(false);

  const advertiser = pickAdvertiser('main', 1, query.get('advertiser') ?? undefined);
  const { reading, plan, refetch } = useRunState({ app: 'main', hwid, zone });
  // With the zone, but `run=stay`: an open run keeps its present zone. The gate needs no click, so otherwise another site
  // could send visitors here to move their runs to its own zone. The first render does not know the device.
  const target = hwid && withQuery('/api/keysystemv2', { hwid, advertiser, os, zone, run: zone && 'stay' });
  const steps = USUAL_STEPS + listAdvertisers('main', 1).indexOf(advertiser);
  const refusal = refusalIn(query);
  // The first render does not know a refusal. What is below it is then drawn anew, so that nothing has moved.
  const below = refusal ? 'a refusal' : 'nothing';
  const [isDisabled, enable] = useDisabledUntil(refusal?.until);

  if (!isDeviceNamed) return <ShowLazyPage page={beginPage} />;
  if (hasNoSteps({ plan, reading }))
    return <NoSteps app="main" about={undefined} plan={plan} reading={reading} hwid={hwid} onEnd={refetch} />;

  function onCaptcha(isPassed: boolean) {
    setIsOpen(isPassed);
    if (!isPassed || !target || refusal || kept === HAS_REDIRECTED) return;

    setQuery((now) => now, { replace: true, state: HAS_REDIRECTED });
    leaving.leave(target);
  }

  return (
    <Page compact heading={tGate('gate.heading')} lead={tGate('gate.lead')}>
      <RunLayout beside={<Trailer key={below} />}>
        <GlowFrame>
          <section className={css.panel} aria-label={tGate('gate.panel')}>
            <FactList
              facts={[
                { label: tGate('gate.advertiser'), value: ADVERTISER_NAMES[advertiser] },
                { label: tGate('gate.ahead'), value: tGate('gate.steps', { count: steps }) },
                { label: t('device.system'), value: <PlatformIcon os={os} /> },
              ]}
            />
            <Captcha hwid={hwid} os={os} advertiser={advertiser} onChange={onCaptcha} renderWait={renderCaptchaWait} />
            {refusal && (
              <RefusalNotice
                refusal={refusal}
                wait={
                  refusal.until !== undefined && <ResumeAt until={refusal.until} isOver={!isDisabled} onEnd={enable} />
                }
              />
            )}
            <DeviceId key={below} hwid={hwid} />
            <NoScript />
          </section>
        </GlowFrame>
        <div className={css.action}>
          {isOpen && (
            <StickyAction inPlace>
              <LeaveLink
                wide
                kind={isDisabled ? 'quiet' : 'primary'}
                href={isDisabled ? undefined : target}
                leaving={leaving}
              >
                {tGate('gate.goOn', { advertiser: ADVERTISER_NAMES[advertiser] })}
              </LeaveLink>
            </StickyAction>
          )}
        </div>
      </RunLayout>
    </Page>
  );
}

export function loadGatePage() {
  if (isDeviceNamed()) preloadWidget(siteSettings().captcha);
  return withBegin(GatePage, beginPage);
}
