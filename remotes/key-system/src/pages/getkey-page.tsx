import { Button } from '@app/design-system/button';
import { Notice } from '@app/design-system/notice';
import { StickyAction } from '@app/design-system/sticky-action';
import {
  afterFirstPaint,
  Navigate,
  ShowLazyPage,
  useKnownDevice,
  usePolling,
  useQuery,
  useVisitor,
} from '@app/platform';
import { appLinks } from '../features/device/app-links.ts';
import { DeviceId } from '../features/device/device.tsx';
import { AppPage } from '../features/run/layouts.tsx';
import { beginPath, runAddress, useApp } from '../features/run/run-address.ts';
import { RunFacts } from '../features/run/run-facts.tsx';
import { currentPage, LOADING, useRunState, type RunFailure, type RunReading } from '../features/run/run-state.ts';
import { ResumeAt, useDisabledUntil } from '../features/wait/resume-at.tsx';
import { NoScript, NoScriptForm } from '../no-script.tsx';
import { t } from '../words.ts';
import { beginPage } from './begin.ts';
import { hasNoSteps } from './no-steps-state.ts';
import { NoSteps } from './no-steps.tsx';
import { withBegin } from './with-begin.ts';
import css from './getkey-page.module.css';

/** The app fetches the key meanwhile, often on another screen. */
const FETCH_POLL_INTERVAL_MS = 5000;

const FAILED_READING: RunReading = { ...LOADING, failure: { isReached: false, isLimited: false } };

/**
 * The page of the key at the end of a run. A visitor without a working key is led to the page that the run has earned.
 * A device with a plan needs neither, and stays.
 */
function GetkeyPage() {
  const { hwid, zone, os } = useVisitor();
  const isUnknown = useKnownDevice() === 'none';
  const app = useApp();
  const { reading: known, plan, refetch, poll, isFetching } = useRunState({ app, hwid, zone });
  const about = known.state?.about;
  const target = known.state && !known.state.key?.active ? runAddress(app, currentPage(known.state)) : undefined;
  // Its code is no part of the first view, and comes meanwhile.
  const moment = useQuery(isUnknown ? undefined : 'moment', loadMoment);
  const KeyMoment = moment.data?.KeyMoment;
  useQuery(KeyMoment && 'check', loadCheck);
  // While the next page loads, this one stays as it was.
  const reading = target !== undefined ? LOADING : known.state && moment.error ? FAILED_READING : known;
  const { state, failure, serverOffsetMs } = reading;
  const isAwaited = state?.key?.active && state.key.zone === 'same' && !state.key.isFetched;
  usePolling(poll, isAwaited && !plan && !isFetching ? FETCH_POLL_INTERVAL_MS : undefined);
  const [isDisabled, enable] = useDisabledUntil(failure?.retryAt);

  function readAgain() {
    if (moment.error) moment.refetch();
    refetch();
  }

  function resume() {
    enable();
    readAgain();
  }

  if (isUnknown) return <ShowLazyPage page={beginPage} />;
  // A blocked device sees no key, even when its key would still work.
  if (hasNoSteps({ plan, reading }))
    return <NoSteps app={app} about={about} plan={plan} reading={reading} hwid={hwid} onEnd={refetch} />;

  return (
    <AppPage app={app} about={about} narrow quiet heading={t('getkey.page')}>
      {target !== undefined && <Navigate to={target} replace />}
      <div className={css.parts}>
        {state?.key && KeyMoment ? (
          <KeyMoment
            app={app}
            links={appLinks(app, about)}
            hwid={hwid}
            zone={zone}
            begin={beginPath(app, zone)}
            of={state.stepsRequired}
            known={state.key}
            serverOffsetMs={serverOffsetMs}
            onEnd={refetch}
          >
            <DeviceId hwid={hwid} />
          </KeyMoment>
        ) : (
          <KeyLookup failure={failure} onEnd={resume} isDisabled={isDisabled} />
        )}
        <NoScript>{t('noScript.key')}</NoScript>
        <NoScriptForm>{t('noScript.showKey')}</NoScriptForm>
        {failure && <RunFacts reading={reading} hwid={hwid} os={os} onEnd={refetch} />}
      </div>
      {failure && (
        <StickyAction inPlace>
          <Button wide kind={isDisabled ? 'quiet' : 'primary'} disabled={isDisabled} onClick={readAgain}>
            {t('run.tryAgain')}
          </Button>
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

interface KeyLookupProps {
  failure: RunFailure | undefined;
  isDisabled: boolean;
  onEnd: () => void;
}

/** Says that the key is loading, or that it failed to load. */
function KeyLookup({ failure, isDisabled, onEnd }: KeyLookupProps) {
  if (!failure) {
    return (
      <div className={css.looking} data-needs-script>
        <p role="status">{t('getkey.looking')}</p>
      </div>
    );
  }

  const { isReached, retryAt } = failure;
  return (
    <Notice kind="warning" title={t(isReached ? 'getkey.ours' : 'getkey.failed')}>
      {retryAt !== undefined && <ResumeAt until={retryAt} isOver={!isDisabled} onEnd={onEnd} />}
    </Notice>
  );
}
