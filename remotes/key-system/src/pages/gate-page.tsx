import { LaunchLink } from '@app/brand-ui/launch';
import { LeaveLink, useLeaving } from '@app/brand-ui/leave';
import { ADVERTISER_NAMES, pickAdvertiser } from '@app/contracts/advertisers';
import { Notice } from '@app/design-system/notice';
import { Page } from '@app/design-system/page';
import { StickyAction } from '@app/design-system/sticky-action';
import { ShowLazyPage, siteSettings, useKnownDevice, useLocation, useSearchParams, useVisitor } from '@app/platform';
import { useState } from 'react';
import { Captcha } from '../features/captcha/captcha.tsx';
import { preloadWidget } from '../features/captcha/load-widget.ts';
import { appLinks } from '../features/device/app-links.ts';
import { DeviceId, PlatformIcon } from '../features/device/device.tsx';
import { GatePanel, gateTarget } from '../features/gate/gate-panel.tsx';
import { RunLayout } from '../features/run/layouts.tsx';
import { refusalIn, RefusalNotice } from '../features/run/refusals.tsx';
import { useRunState } from '../features/run/run-state.ts';
import { Trailer } from '../features/trailer/trailer.tsx';
import { renderCaptchaWait, ResumeAt, useDisabledUntil } from '../features/wait/resume-at.tsx';
import { t as tell } from '../features/gate/words.ts';
import { t } from '../words.ts';
import { beginPage } from './begin.ts';
import { PlanPage } from './plan-page.tsx';
import { isDeviceNamed, withBegin } from './with-begin.ts';
import css from '../features/gate/gate-panel.module.css';

/** Marks a history entry from which the gate has led on, so that it does not lead on again after the back button. */
const HAS_LED = 'gate has led';

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
  const { reading, plan } = useRunState({ app: 'main', hwid, zone });
  // The first render knows that there is a device, but not which.
  const target = hwid && gateTarget({ hwid, zone, advertiser, os });
  const refusal = refusalIn(query);
  const [isDisabled, enable] = useDisabledUntil(refusal?.until);
  const linkProblem = reading.failure?.linkProblem;

  if (!isDeviceNamed) return <ShowLazyPage page={beginPage} />;
  if (plan) return <PlanPage app="main" about={undefined} plan={plan} hwid={hwid} />;

  function onCaptcha(isPassed: boolean) {
    setIsOpen(isPassed);
    if (!isPassed || !target || refusal || kept === HAS_LED) return;

    setQuery((now) => now, { replace: true, state: HAS_LED });
    leaving.leave(target);
  }

  function renderAction() {
    if (!isOpen && linkProblem === undefined) return null;

    return (
      <StickyAction inPlace>
        {linkProblem === undefined ? (
          <LeaveLink
            wide
            kind={isDisabled ? 'quiet' : 'primary'}
            href={isDisabled ? undefined : target}
            leaving={leaving}
          >
            {tell('gate.goOn', { advertiser: ADVERTISER_NAMES[advertiser] })}
          </LeaveLink>
        ) : (
          <LaunchLink {...appLinks('main')}>{t('device.openApp')}</LaunchLink>
        )}
      </StickyAction>
    );
  }

  return (
    <Page compact heading={tell('gate.heading')} lead={tell('gate.lead')}>
      <RunLayout beside={<Trailer />}>
        <GatePanel advertiser={advertiser} system={<PlatformIcon os={os} />}>
          {refusal && (
            <RefusalNotice
              refusal={refusal}
              wait={
                refusal.until !== undefined && <ResumeAt until={refusal.until} isOver={!isDisabled} onEnd={enable} />
              }
            />
          )}
          {linkProblem === undefined ? (
            <Captcha hwid={hwid} os={os} advertiser={advertiser} onChange={onCaptcha} renderWait={renderCaptchaWait} />
          ) : (
            <Notice kind="warning" title={linkProblem}>
              {t('run.openAgain')}
            </Notice>
          )}
          <DeviceId hwid={hwid} />
        </GatePanel>
        <div className={css.action}>{renderAction()}</div>
      </RunLayout>
    </Page>
  );
}

export function loadGatePage() {
  if (isDeviceNamed()) preloadWidget(siteSettings().captcha);
  return withBegin(GatePage, beginPage);
}
