import { firstAdvertiser } from '@app/contracts/advertisers';
import { isSpecified, parseOs } from '@app/contracts/key-system';
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
import { formatMoment } from '../date.ts';
import { preloadWidget } from '../features/captcha/load-widget.ts';
import { listOffers, pickUsable } from '../features/run/advertiser-choice.tsx';
import { KeyStep } from '../features/run/key-step.tsx';
import { AppPage, RunLayout } from '../features/run/layouts.tsx';
import { refusalIn } from '../features/run/refusals.tsx';
import { runAddress, stepOf, useApp, usualSteps } from '../features/run/run-address.ts';
import { RunFacts } from '../features/run/run-facts.tsx';
import {
  currentPage,
  LOADING,
  parallelRun,
  useIsUnknownDevice,
  useRunState,
  type CurrentPage,
  type RunReading,
} from '../features/run/run-state.ts';
import { RunStrip } from '../features/run/run-strip.tsx';
import { StepStateContext, useStepPolling, type StepState } from '../features/run/step-prompt.tsx';
import { Trailer } from '../features/trailer/trailer.tsx';
import { t } from '../words.ts';
import { beginPage } from './begin.ts';
import { hasNoSteps } from './no-steps-state.ts';
import { NoSteps } from './no-steps.tsx';
import { isDeviceNamed, withBegin } from './with-begin.ts';

/**
 * The page of every step of every app. When the server says that the run is at another page, it leads there. A device
 * without steps stays.
 */
function StepPage() {
  const { pathname } = useLocation();
  const [query] = useSearchParams();
  const visitor = useVisitor();
  const { hwid, zone } = visitor;

  const app = useApp();
  const step = stepOf(pathname) ?? 1;
  const { reading: read, plan, refetch, poll, isFetching } = useRunState({ app, hwid, zone });
  const isNewRun = query.get('run') === 'new';
  const known: RunReading = isNewRun && read.state ? { ...read, state: parallelRun(read.state) } : read;
  const isUnknown = useIsUnknownDevice(visitor, known);
  const about = read.state?.about;
  const target = known.state && currentPage(known.state);
  const redirects = target !== undefined && target !== step && (target === 'getkey' || !isUnknown);
  // While the next page loads, this one stays as it was.
  const reading = redirects ? LOADING : known;
  const { state } = reading;
  const { isLate, pollMs } = useStepPolling(
    Boolean(state?.run?.waiting),
    state !== undefined && hasNoAdvertiser(state, step),
  );
  usePolling(poll, plan || isFetching ? undefined : pollMs);

  if (hasNoSteps({ plan, reading }))
    return <NoSteps app={app} about={about} plan={plan} reading={reading} hwid={hwid} onEnd={refetch} />;
  if (isUnknown && !redirects) return <ShowLazyPage page={beginPage} />;

  const stepState: StepState = {
    app,
    about,
    step,
    // As long as that is not known of a registered app, one more than it has come to.
    stepCount: state?.run?.of ?? state?.stepsRequired ?? Math.max(usualSteps(app) ?? step + 1, step),
    isCountKnown: isSpecified(app) || state !== undefined,
    reading,
    namedOs: parseOs(query.get('os') ?? undefined),
    keyEnded: describeKeyEnd(known),
    requestedAdvertiser: query.get('advertiser') ?? undefined,
    isNewRun,
    refusal: refusalIn(query),
    isLate,
    reload: refetch,
    isFetching,
  };

  return (
    <AppPage app={app} about={about} compact quiet heading={t('step.card')}>
      {redirects && (
        <Redirect
          from={step}
          target={target}
          to={runAddress(app, target, redirectQuery(query, target, step, Boolean(known.state?.run)))}
          isSilent={known.state?.run?.zone === 'other' || Boolean(known.state?.cooldown)}
        />
      )}
      <StepStateContext value={stepState}>
        <RunStrip key={app} />
        <RunLayout
          // A notice of an ended plan comes with the state. What it moves is drawn anew, so that nothing has moved.
          key={String(Boolean(state?.endedPlan && !state.run))}
          isUnplaced={!isSpecified(app) && !state && !reading.failure}
          beside={
            <>
              {app === 'main' && step === 1 && <Trailer />}
              <RunFacts reading={reading} hwid={hwid} os={visitor.os} onEnd={refetch} />
            </>
          }
        >
          <KeyStep />
        </RunLayout>
      </StepStateContext>
    </AppPage>
  );
}

export function loadStepPage() {
  if (isDeviceNamed() && stepOf(location.pathname) === 1) preloadWidget(siteSettings().captcha);
  return withBegin(StepPage, beginPage);
}

interface RedirectProps {
  from: number;
  target: CurrentPage;
  to: string;
  /** Whether the next page has more to say than a toast: the run belongs to another zone, or is on a timeout. */
  isSilent: boolean;
}

/** Leads to the page that the visitor has come to. A toast says so when that page comes after the opened one. */
function Redirect({ from, target, to, isSilent }: RedirectProps) {
  useEffect(() => {
    if (target === 'getkey') showToast(t('run.keyReady'));
    else if (target > from && !isSilent) showToast(t('run.goesOn', { step: target }));
  }, [from, target, isSilent]);

  return <Navigate to={to} replace />;
}

function hasNoAdvertiser({ app, about, advertisers }: RunState, step: number): boolean {
  const registered = about?.advertisers;
  const offers = listOffers(app, step, advertisers, registered);
  return pickUsable(offers, firstAdvertiser(app, step, undefined, registered)) === undefined;
}

/** When the device's last key ended, in words; undefined while a key works or there was none. */
function describeKeyEnd({ state, serverOffsetMs }: RunReading): string | undefined {
  if (!state?.key || state.key.active) return undefined;
  return t('key.ended', { moment: formatMoment(state.key.expiresAt, serverOffsetMs) });
}

/** The query for the move to another page. Who has begun and is led back to an earlier step gets the code KS_STEP. */
function redirectQuery(
  query: URLSearchParams,
  target: CurrentPage,
  step: number,
  hasBegun: boolean,
): Record<string, string> {
  const next = new URLSearchParams(query);
  next.delete('wait');
  next.delete('until');
  if (target === 'getkey' || target > step) next.delete('e');
  else if (hasBegun && !next.has('e')) next.set('e', 'KS_STEP');
  return Object.fromEntries(next);
}
