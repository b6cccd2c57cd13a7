import { LaunchLink } from '@app/brand-ui/launch';
import { COMMUNITY_LINKS } from '@app/contracts/brand';
import { type AppId, isSpecified } from '@app/contracts/key-system';
import { PAGES } from '@app/contracts/pages';
import { buttonClass } from '@app/design-system/button';
import { Countdown } from '@app/design-system/countdown';
import { FactList } from '@app/design-system/fact-list';
import { Icon } from '@app/design-system/icon';
import { StickyAction } from '@app/design-system/sticky-action';
import { Link } from '@app/platform';
import { useContext, useState } from 'react';
import { formatEnd } from '../date.ts';
import { t } from '../words.ts';
import { appLinks } from '../features/device/app-links.ts';
import { DeviceId } from '../features/device/device.tsx';
import { daysOfPlan, describePlan, nameOfPlan, type DevicePlan } from '../features/plan/running-plan.ts';
import { Ring } from '../features/wait/ring.tsx';
import { Outcome } from '../features/run/outcome.tsx';
import { UNKNOWN_APP_ID } from '../features/run/run-address.ts';
import { blockIn, NoStepsContext, type NoStepsState } from './no-steps-state.ts';

const DAY_MS = 24 * 60 * 60_000;

const [CHAT] = COMMUNITY_LINKS;

/** Says why the device has no steps to do, and what to do instead. */
export function NoStepsPage() {
  const state = useContext(NoStepsContext);
  if (!state) throw new Error('Not within NoSteps');

  const { app, about, plan, reading, hwid, onEnd } = state;
  const block = blockIn(reading);
  if (plan) return <PlanRuns app={app} about={about} plan={plan} hwid={hwid} />;
  if (!block) return <WrongLink app={app} problem={reading.failure?.linkProblem ?? t('refusal.KS_APP.what')} />;

  const { until } = block;
  return (
    <Outcome
      app={app}
      about={about}
      isLive
      arrives
      art={
        <Ring is="bad">
          {until === null ? (
            <Icon name="cross" size={56} />
          ) : (
            <Countdown endsAt={until} serverOffsetMs={reading.serverOffsetMs} onEnd={onEnd} />
          )}
        </Ring>
      }
      heading={t('refusal.KS_BLOCKED.what')}
      lead={
        until === null
          ? t('cooldown.noEnd')
          : t('cooldown.blockedUntil', { end: formatEnd(until, reading.serverOffsetMs) })
      }
      next={
        <>
          <p>{t('cooldown.mistake')}</p>
          <DeviceId hwid={hwid} />
        </>
      }
      actions={
        <StickyAction inPlace>
          <a className={buttonClass({ wide: true })} href={CHAT.href} rel="noreferrer" target="_blank">
            {t('cooldown.ask')}
          </a>
        </StickyAction>
      }
    />
  );
}

function PlanRuns({ app, about, plan, hwid }: Pick<NoStepsState, 'app' | 'about' | 'hwid'> & { plan: DevicePlan }) {
  const [openedAt] = useState(Date.now);
  const leftDays = (plan.plan.until - openedAt - plan.serverOffsetMs) / DAY_MS;
  const share = leftDays / daysOfPlan(plan.plan);
  // A short plan can be renewed from its first day on.
  const isEnding = plan.plan.renewable && share < 0.5;
  const name = nameOfPlan(plan.plan);

  return (
    <Outcome
      app={app}
      about={about}
      isLive
      arrives
      art={
        <Ring is="good" share={isEnding ? share : 1}>
          <Icon name="check" size={56} />
        </Ring>
      }
      heading={isEnding ? t('plan.daysLeft', { days: Math.ceil(leftDays), plan: name }) : t('plan.on', { plan: name })}
      lead={t('plan.noSteps')}
      next={
        <>
          <p>{describePlan(plan)}</p>
          <DeviceId hwid={hwid} />
        </>
      }
      actions={
        <>
          <StickyAction inPlace>
            <LaunchLink wide {...appLinks(app, about)}>
              {t('getkey.launch')}
            </LaunchLink>
          </StickyAction>
          {plan.plan.renewable && (
            <Link className={buttonClass({ kind: 'quiet' })} to={PAGES.plans}>
              {t('plan.renew')}
            </Link>
          )}
        </>
      }
    />
  );
}

/** For a link that cannot work: mostly one that names an app that nobody registered. */
function WrongLink({ app, problem }: { app: AppId; problem: string }) {
  const isNamed = !isSpecified(app) && app !== UNKNOWN_APP_ID;

  return (
    <Outcome
      app={app}
      about={undefined}
      isLive
      arrives
      art={
        <Ring>
          <b aria-hidden="true">?</b>
        </Ring>
      }
      heading={problem}
      lead={t(isSpecified(app) ? 'run.openAgain' : 'refusal.KS_APP.next')}
      next={isNamed && <FactList facts={[{ label: t('wrongLink.app'), value: app }]} />}
      actions={
        <StickyAction inPlace>
          {isSpecified(app) ? (
            <LaunchLink wide {...appLinks(app)}>
              {t('getkey.launch')}
            </LaunchLink>
          ) : (
            <Link className={buttonClass({ wide: true })} to={PAGES.home}>
              {t('wrongLink.home')}
            </Link>
          )}
        </StickyAction>
      }
      note={!isSpecified(app) && t('wrongLink.why')}
    />
  );
}
