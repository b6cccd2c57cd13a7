import { LaunchLink } from '@app/brand-ui/launch';
import { type AppId, isSpecified } from '@app/contracts/key-system';
import { Button } from '@app/design-system/button';
import { Notice } from '@app/design-system/notice';
import { StickyAction } from '@app/design-system/sticky-action';
import { afterFirstPaint, Navigate, ShowLazyPage, useKnownDevice, useQuery, useVisitor } from '@app/platform';
import { appLinks } from '../features/device/app-links.ts';
import { DeviceId } from '../features/device/device-id.tsx';
import { NoScript, NoScriptForm } from '../no-script.tsx';
import { GoOnAt } from '../features/wait/go-on-at.tsx';
import { AppPage } from '../features/run/app-page.tsx';
import { beginPath, runAddress } from '../features/run/run-address.ts';
import { RunFacts } from '../features/run/run-facts.tsx';
import { CooldownNotice } from '../features/run/cooldown-notice.tsx';
import { earnedPage } from '../features/run/earned-page.ts';
import { useHeld } from '../features/wait/use-held.ts';
import { useApp } from '../features/run/use-app.ts';
import { useRunPlan } from '../features/run/use-run-plan.ts';
import { useRunState, type RunReading } from '../features/run/use-run-state.ts';
import { t } from '../words.ts';
import { beginPage } from './begin.ts';
import { PlanPage } from './plan-page.tsx';
import { withBegin } from './with-begin.ts';
import css from './getkey-page.module.css';

/** What shows a key did not load. */
const NOT_LOADED: RunReading = {
  status: 'failed',
  isReached: false,
  isRefused: false,
  isLimited: false,
  words: '',
  retryAt: undefined,
};

/**
 * The page of the key at the end of a run. A visitor without a working key is led to the page that the run has earned.
 * A device with a plan needs neither, and stays.
 */
function GetkeyPage() {
  const { hwid, zone, os } = useVisitor();
  const isUnknown = useKnownDevice() === 'none';
  const app = useApp();
  const { reading: told, refetch } = useRunState({ app, hwid, zone });
  const about = told.status === 'ready' ? told.state.about : undefined;
  const goesTo =
    told.status === 'ready' && !told.state.key?.active ? runAddress(app, earnedPage(told.state)) : undefined;
  // Its code is no part of the first view, and comes meanwhile.
  const moment = useQuery(isUnknown ? undefined : 'moment', loadMoment);
  const KeyMoment = moment.data?.KeyMoment;
  useQuery(KeyMoment && 'check', loadCheck);
  // While the next page loads, this one stays as it was.
  const reading: RunReading =
    goesTo !== undefined ? { status: 'loading' } : told.status === 'ready' && moment.error ? NOT_LOADED : told;
  const state = reading.status === 'ready' ? reading.state : undefined;
  const blocked = blockOf(reading);
  const key = blocked ? undefined : state?.key;
  const plan = useRunPlan(told, refetch);
  const begin = beginPath(app, zone);
  const [isHeld, release] = useHeld(reading.status === 'failed' ? reading.retryAt : undefined);

  function readAgain() {
    if (moment.error) moment.refetch();
    refetch();
  }

  function goOn() {
    release();
    readAgain();
  }

  if (isUnknown) return <ShowLazyPage page={beginPage} />;
  if (plan) return <PlanPage app={app} about={about} told={plan} hwid={hwid} />;

  return (
    <AppPage app={app} about={about} narrow quiet heading={t('getkey.page')}>
      {goesTo !== undefined && <Navigate to={goesTo} replace />}
      <div className={css.parts}>
        {blocked ? (
          <CooldownNotice {...blocked} onEnd={refetch} />
        ) : key && KeyMoment && reading.status === 'ready' ? (
          <KeyMoment
            app={app}
            links={appLinks(app, about)}
            hwid={hwid}
            zone={zone}
            of={reading.state.stepsRequired}
            expiresAt={key.expiresAt}
            serverOffsetMs={reading.serverOffsetMs}
            renewAt={key.renewable ? begin : undefined}
            elsewhereAt={key.zone === 'same' ? undefined : begin}
            onEnd={refetch}
          >
            <DeviceId hwid={hwid} />
          </KeyMoment>
        ) : (
          <Finding app={app} reading={reading} onEnd={goOn} isHeld={isHeld} />
        )}
        <NoScript>{t('noScript.key')}</NoScript>
        <NoScriptForm>{t('noScript.showKey')}</NoScriptForm>
        {(blocked || reading.status === 'failed') && <RunFacts reading={reading} hwid={hwid} os={os} onEnd={refetch} />}
      </div>
      {reading.status === 'failed' && (
        <StickyAction inPlace>
          {reading.isRefused && isSpecified(app) ? (
            <LaunchLink {...appLinks(app, about)}>{t('device.openApp')}</LaunchLink>
          ) : (
            <Button wide kind={isHeld ? 'quiet' : 'primary'} disabled={isHeld} onClick={readAgain}>
              {t('run.tryAgain')}
            </Button>
          )}
        </StickyAction>
      )}
    </AppPage>
  );
}

export const loadGetkeyPage = () => withBegin(GetkeyPage, beginPage);

/** The way from the ticket to the check needs no network: its page is there before. */
async function loadCheck() {
  await afterFirstPaint();
  await import(/* webpackChunkName: "check-key-page" */ './check-key-page.tsx');
}

function loadMoment() {
  return import(/* webpackChunkName: "key-moment" */ '../features/key/key-moment.tsx');
}

interface FindingProps {
  app: AppId;
  reading: RunReading;
  isHeld: boolean;
  onEnd: () => void;
}

/** Says that the key is loading, or that it failed to load. Meanwhile our own apps can be opened already. */
function Finding({ app, reading, isHeld, onEnd }: FindingProps) {
  if (reading.status !== 'failed') {
    return (
      <div className={css.looking}>
        <p role="status">{t('getkey.looking')}</p>
        {isSpecified(app) && (
          <StickyAction inPlace>
            <LaunchLink {...appLinks(app)}>{t('getkey.launch')}</LaunchLink>
          </StickyAction>
        )}
      </div>
    );
  }

  if (reading.isRefused) {
    return (
      <Notice kind="warning" title={reading.words}>
        {t('run.openAgain')}
      </Notice>
    );
  }
  return (
    <Notice kind="warning" title={t(reading.isReached ? 'getkey.ours' : 'getkey.failed')}>
      {reading.retryAt !== undefined && <GoOnAt until={reading.retryAt} isOver={!isHeld} onEnd={onEnd} />}
    </Notice>
  );
}

/** The block of a device, or undefined. A blocked device sees no key, even when its key would still work. */
function blockOf(reading: RunReading) {
  if (reading.status !== 'ready' || reading.state.cooldown?.reason !== 'KS_BLOCKED') return undefined;

  return { cooldown: reading.state.cooldown, serverOffsetMs: reading.serverOffsetMs };
}
