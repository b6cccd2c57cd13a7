import { Button, buttonClass } from '@app/design-system/button';
import { StickyAction } from '@app/design-system/sticky-action';
import { Link, ShowLazyPage, useKnownDevice, useSearchParams, useVisitor } from '@app/platform';
import { appLinks } from '../features/device/app-links.ts';
import { askForApp } from '../features/device/ask-for-app.ts';
import { KeptRun } from '../features/run/kept-run.tsx';
import { PlanReady } from '../features/plan/plan-ready.tsx';
import { useIsStranger } from '../features/run/is-stranger.ts';
import { refusalOf } from '../features/run/refusals.ts';
import { AppPage } from '../features/run/app-page.tsx';
import { runAddress } from '../features/run/run-address.ts';
import { useApp } from '../features/run/use-app.ts';
import { useRunPlan } from '../features/run/use-run-plan.ts';
import { useRunState, type RunReading } from '../features/run/use-run-state.ts';
import { RefusedReturn } from '../features/run/refused-return.tsx';
import { Split } from '../features/run/split.tsx';
import { NoScriptForm } from '../no-script.tsx';
import { t } from '../words.ts';
import { beginInApp } from './begin-in-app.ts';
import { withBegin } from './with-begin.ts';

/**
 * The page of a refused return: why it was refused, whether it counts, how long to wait, and a link back to the run. A
 * device with a plan needs none of it, and is led to the app.
 */
function BypassPage() {
  const [query] = useSearchParams();
  const { hwid, zone } = useVisitor();
  const app = useApp();
  const { reading: told, refetch } = useRunState({ app, hwid, zone });
  const about = told.status === 'ready' ? told.state.about : undefined;
  const isDeviceKnown = useKnownDevice() !== 'none';
  const isUnknown = useIsStranger({ hwid, zone }, told);
  const plan = useRunPlan(told, refetch);
  const reading: RunReading = isUnknown ? { status: 'loading' } : told;

  const isPaused = reading.status === 'ready' && reading.state.cooldown !== null;
  const refusal = refusalOf(query.get('r'));

  return (
    <AppPage
      app={app}
      about={about}
      narrow={plan !== undefined}
      quiet={plan !== undefined}
      compact
      heading={t('bypass.heading')}
    >
      {plan ? (
        <PlanReady told={plan} links={appLinks(app, about)} />
      ) : (
        <Split
          beside={
            isDeviceKnown ? (
              <KeptRun app={app} refusal={refusal} reading={reading} />
            ) : (
              <ShowLazyPage page={beginInApp} />
            )
          }
        >
          <RefusedReturn
            refusal={refusal}
            reading={reading}
            isAsking={hwid !== undefined && told.status === 'loading'}
            onEnd={refetch}
          />
          <StickyAction inPlace>
            {isUnknown ? (
              <Button wide onClick={() => void askForApp(app, about)}>
                {t('bypass.back')}
              </Button>
            ) : (
              <Link
                className={buttonClass({ kind: isPaused ? 'quiet' : 'primary', wide: true })}
                to={runAddress(app, 1)}
              >
                {t('bypass.back')}
              </Link>
            )}
          </StickyAction>
          <NoScriptForm kind="quiet">{t('noScript.why')}</NoScriptForm>
        </Split>
      )}
    </AppPage>
  );
}

export const loadBypassPage = () => withBegin(BypassPage, beginInApp);
