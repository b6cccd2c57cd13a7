import { Button, buttonClass } from '@app/design-system/button';
import { StickyAction } from '@app/design-system/sticky-action';
import { Link, ShowLazyPage, useKnownDevice, useSearchParams, useVisitor } from '@app/platform';
import { appLinks, askForApp } from '../features/device/app-links.ts';
import { PlanReady } from '../features/plan/plan-ready.tsx';
import { AppPage, Split } from '../features/run/layouts.tsx';
import { refusalOf } from '../features/run/refusals.tsx';
import { KeptRun, RefusedReturn } from '../features/run/refused-return.tsx';
import { runAddress, useApp } from '../features/run/run-address.ts';
import { LOADING, useIsUnknownDevice, useRunState } from '../features/run/run-state.ts';
import { NoScriptForm } from '../no-script.tsx';
import { t } from '../words.ts';
import { beginInApp } from './begin-in-app.ts';
import { withBegin } from './with-begin.ts';

/** The page of a refused return. A device with a plan is led to the app. */
function BypassPage() {
  const [query] = useSearchParams();
  const { hwid, zone } = useVisitor();
  const app = useApp();
  const { reading: known, plan, refetch } = useRunState({ app, hwid, zone });
  const about = known.state?.about;
  const isDeviceNamed = useKnownDevice() !== 'none';
  const isUnknown = useIsUnknownDevice({ hwid, zone }, known);
  const reading = isUnknown ? LOADING : known;
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
        <PlanReady plan={plan} links={appLinks(app, about)} />
      ) : (
        <Split
          beside={
            isDeviceNamed ? (
              <KeptRun app={app} refusal={refusal} reading={reading} />
            ) : (
              <ShowLazyPage page={beginInApp} />
            )
          }
        >
          <RefusedReturn
            refusal={refusal}
            reading={reading}
            isAsking={hwid !== undefined && !known.state && !known.failure}
            onEnd={refetch}
          />
          <StickyAction inPlace>
            {isUnknown ? (
              <Button wide onClick={() => void askForApp(app, about)}>
                {t('bypass.back')}
              </Button>
            ) : (
              <Link
                className={buttonClass({ kind: reading.state?.cooldown ? 'quiet' : 'primary', wide: true })}
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
