import { firstAdvertiser, isSpecified, parseOs } from '@app/contracts/key-system';
import type { RunState } from '@app/contracts/key-system-schemas';
import {
  Navigate,
  ShowLazyPage,
  showToast,
  siteSettings,
  useLocation,
  usePolling,
  useSearchParams,
  useVisitor,
} from '@app/platform';
import { useEffect } from 'react';
import { preloadWidget } from '../features/captcha/load-widget.ts';
import { listOffers, pickUsable } from '../features/run/choose-advertiser.ts';
import { KeyStep } from '../features/run/key-step.tsx';
import { useIsStranger } from '../features/run/is-stranger.ts';
import { momentOf } from '../moment.ts';
import { refusalIn } from '../features/run/refusals.ts';
import { AppPage } from '../features/run/app-page.tsx';
import { runAddress, stepOf } from '../features/run/run-address.ts';
import { RunFacts } from '../features/run/run-facts.tsx';
import { RunLayout } from '../features/run/run-layout.tsx';
import { RunStrip, stepsOf } from '../features/run/run-strip.tsx';
import { StepStateContext, type StepState } from '../features/run/step-state.ts';
import { besideOpenRun, earnedPage, type EarnedPage } from '../features/run/earned-page.ts';
import { useApp } from '../features/run/use-app.ts';
import { useRunPlan } from '../features/run/use-run-plan.ts';
import { useRunState, type RunReading } from '../features/run/use-run-state.ts';
import { useWaiting } from '../features/run/use-waiting.ts';
import { Trailer } from '../features/trailer/trailer.tsx';
import { t } from '../words.ts';
import { beginPage } from './begin.ts';
import { BlockedPage } from './blocked-page.tsx';
import { PlanPage } from './plan-page.tsx';
import { isDeviceNamed, withBegin } from './with-begin.ts';

/**
 * The page of every step of every app. When the server says that the run is at another page, it leads there. A device
 * with a plan needs no steps, and stays.
 */
function StepPage() {
  const { pathname } = useLocation();
  const [query] = useSearchParams();
  const visitor = useVisitor();
  const { hwid, zone } = visitor;

  const app = useApp();
  const step = stepOf(pathname) ?? 1;
  const { reading: read, refetch } = useRunState({ app, hwid, zone });
  const isNewRun = query.get('run') === 'new';
  const told: RunReading = read.status === 'ready' && isNewRun ? { ...read, state: besideOpenRun(read.state) } : read;
  const isUnknown = useIsStranger(visitor, told);
  const about = read.status === 'ready' ? read.state.about : undefined;
  const target = told.status === 'ready' ? earnedPage(told.state) : undefined;
  const goesOn = target !== undefined && target !== step && (target === 'getkey' || !isUnknown);
  // While the next page loads, this one stays as it was.
  const reading: RunReading = goesOn ? { status: 'loading' } : told;
  const state = reading.status === 'ready' ? reading.state : undefined;
  const of = stepsOf(app, step, reading);
  const { isLate, pollMs } = useWaiting(Boolean(state?.run?.waiting), state !== undefined && isDown(state, step));
  const plan = useRunPlan(told, refetch);
  usePolling(refetch, plan ? undefined : pollMs);

  if (plan) return <PlanPage app={app} about={about} told={plan} hwid={hwid} />;
  if (isUnknown && !goesOn) return <ShowLazyPage page={beginPage} />;

  if (reading.status === 'ready' && reading.state.cooldown?.reason === 'KS_BLOCKED')
    return (
      <BlockedPage
        app={app}
        about={about}
        cooldown={reading.state.cooldown}
        serverOffsetMs={reading.serverOffsetMs}
        hwid={hwid}
        onEnd={refetch}
      />
    );

  const stepState: StepState = {
    app,
    about,
    step,
    of,
    isCounted: isSpecified(app) || state !== undefined,
    reading,
    namedOs: parseOs(query.get('os') ?? undefined),
    keyEnded: keyEndOf(told),
    wanted: query.get('advertiser') ?? undefined,
    isNewRun,
    refusal: refusalIn(query),
    isLate,
    reload: refetch,
  };

  return (
    <AppPage app={app} about={about} compact quiet heading={t('step.card')}>
      {goesOn && (
        <MoveOn
          from={step}
          target={target}
          to={runAddress(app, target, queryFor(query, target, step))}
          isOtherZone={told.status === 'ready' && told.state.run?.zone === 'other'}
        />
      )}
      <StepStateContext value={stepState}>
        <RunStrip key={app} />
        <RunLayout
          steps={<KeyStep />}
          isUnplaced={!isSpecified(app) && reading.status === 'loading'}
          beside={
            <>
              {app === 'main' && step === 1 && <Trailer />}
              <RunFacts reading={reading} hwid={hwid} os={visitor.os} onEnd={refetch} />
            </>
          }
        />
      </StepStateContext>
    </AppPage>
  );
}

export function loadStepPage() {
  if (isDeviceNamed() && stepOf(location.pathname) === 1) preloadWidget(siteSettings().captcha);
  return withBegin(StepPage, beginPage);
}

interface MoveOnProps {
  /** The step whose page was opened. */
  from: number;
  /** The page that the run has earned. */
  target: EarnedPage;
  /** The address of that page. */
  to: string;
  /** Whether the run belongs to another zone. The next page says so, so there is no toast. */
  isOtherZone: boolean;
}

/** Leads to the page that the run has earned. A toast says so when that page comes after the opened one. */
function MoveOn({ from, target, to, isOtherZone }: MoveOnProps) {
  useEffect(() => {
    if (target === 'getkey') showToast(t('run.keyReady'));
    else if (target > from && !isOtherZone) showToast(t('run.goesOn', { step: target }));
  }, [from, target, isOtherZone]);

  return <Navigate to={to} replace />;
}

/** Whether no advertiser of the step can be used. */
function isDown({ app, about, advertisers }: RunState, step: number): boolean {
  const registered = about?.advertisers;
  const offers = listOffers(app, step, advertisers, registered);
  return pickUsable(offers, firstAdvertiser(app, step, undefined, registered)) === undefined;
}

/** When the device's last key ended, in words; undefined while a key works or there was none. */
function keyEndOf(reading: RunReading): string | undefined {
  if (reading.status !== 'ready' || !reading.state.key || reading.state.key.active) return undefined;

  return t('key.ended', { moment: momentOf(reading.state.key.expiresAt, reading.serverOffsetMs) });
}

/** The query for the move to the earned page. A visitor who is led back to an earlier step gets the code KS_STEP. */
function queryFor(query: URLSearchParams, target: EarnedPage, step: number): Record<string, string> {
  const next = new URLSearchParams(query);
  next.delete('wait');
  next.delete('until');
  if (target === 'getkey' || target > step) next.delete('e');
  else if (!next.has('e')) next.set('e', 'KS_STEP');
  return Object.fromEntries(next);
}
