import { RunKey } from '@app/brand-ui/run-key';
import type { RunState } from '@app/contracts/key-system-schemas';
import { Button, buttonClass } from '@app/design-system/button';
import { Icon } from '@app/design-system/icon';
import { StickyAction } from '@app/design-system/sticky-action';
import { Link, ShowLazyPage, useKnownDevice, useSearchParams, useVisitor } from '@app/platform';
import { useState } from 'react';
import { formatMoment } from '../date.ts';
import { askForApp } from '../features/device/app-links.ts';
import { Outcome } from '../features/run/outcome.tsx';
import { type Refusal, refusalOf } from '../features/run/refusals.tsx';
import { runAddress, useApp } from '../features/run/run-address.ts';
import { LOADING, useIsUnknownDevice, useRunState } from '../features/run/run-state.ts';
import { Strikes } from '../features/run/strikes.tsx';
import { Ring, WaitRing } from '../features/wait/ring.tsx';
import { NoScriptForm } from '../no-script.tsx';
import { t } from '../words.ts';
import { beginInApp } from './begin-in-app.ts';
import css from './bypass-page.module.css';
import { hasNoSteps } from './no-steps-state.ts';
import { NoSteps } from './no-steps.tsx';
import { withBegin } from './with-begin.ts';

/** The page of a refused return: why, whether it counts, and how long to wait. */
function BypassPage() {
  const [query] = useSearchParams();
  const { hwid, zone } = useVisitor();
  const app = useApp();
  const { reading: known, plan, refetch } = useRunState({ app, hwid, zone });
  const about = known.state?.about;
  const isDeviceNamed = useKnownDevice() !== 'none';
  const isUnknown = useIsUnknownDevice({ hwid, zone }, known);
  const { state, serverOffsetMs } = isUnknown ? LOADING : known;
  const asked = refusalOf(query.get('r'));
  const refusal = confirmedRefusal(asked, state);
  const cooldown = state?.cooldown;
  const isPending = isDeviceNamed && !known.state && !known.failure;
  const [wasPaused, setWasPaused] = useState(false);
  if (cooldown && !wasPaused) setWasPaused(true);

  if (hasNoSteps({ plan, reading: known }))
    return <NoSteps app={app} about={about} plan={plan} reading={known} hwid={hwid} onEnd={refetch} />;

  const isOver = wasPaused && !cooldown;
  const isWarned = !refusal && !cooldown && !isOver && !(isPending && hwid && asked);

  function describe(): string {
    if (cooldown) return describeTimeout(refusal, cooldown.until ?? 0, serverOffsetMs);
    if (isOver) return t('cooldown.over');
    if (refusal)
      return refusal.isStrike ? `${refusal.what}. ${refusal.next}` : `${refusal.next} ${t('refusal.noStrike')}`;
    return t(isWarned ? 'bypass.lead' : 'run.looking');
  }

  function draw() {
    if (cooldown && cooldown.until !== null)
      return (
        <WaitRing
          endsAt={cooldown.until}
          totalMs={timeoutMs(state?.strikes?.count)}
          serverOffsetMs={serverOffsetMs}
          onEnd={refetch}
        />
      );
    if (refusal && !refusal.isStrike)
      return (
        <Ring>
          <b aria-hidden="true">?</b>
        </Ring>
      );
    return (
      <Ring is={isOver ? 'good' : isWarned ? 'open' : 'bad'}>
        <Icon name={isOver ? 'check' : 'warning'} size={56} />
      </Ring>
    );
  }

  return (
    <Outcome
      app={app}
      about={about}
      isPending={isPending}
      isLive
      // Nothing is known of a visitor without a device: no alarm, and the pictures of what to do have its room.
      art={isDeviceNamed && draw()}
      heading={refusal && !refusal.isStrike && !cooldown ? refusal.what : t('bypass.heading')}
      lead={describe()}
      next={
        isDeviceNamed ? (
          state && (
            <>
              {state.strikes && (refusal?.isStrike || cooldown) && (
                <Strikes count={state.strikes.count}>{t('strikes.warning')}</Strikes>
              )}
              <KeptRun state={state} isOver={refusal?.code === 'KS_REUSE'} />
            </>
          )
        ) : (
          <ShowLazyPage page={beginInApp} />
        )
      }
      actions={
        <>
          <StickyAction inPlace>
            {isUnknown ? (
              <Button wide onClick={() => void askForApp(app, about)}>
                {t('bypass.back')}
              </Button>
            ) : (
              <Link
                className={buttonClass({ kind: cooldown ? 'quiet' : 'primary', wide: true })}
                to={runAddress(app, 1)}
              >
                {t('bypass.back')}
              </Link>
            )}
          </StickyAction>
          <NoScriptForm kind="quiet">{t('noScript.why')}</NoScriptForm>
        </>
      }
    />
  );
}

export const loadBypassPage = () => withBegin(BypassPage, beginInApp);

/** Anyone can write an address, so what counts against a device is what the server knows of it. */
function confirmedRefusal(refusal: Refusal | undefined, state: RunState | undefined): Refusal | undefined {
  const isTicket = refusal?.code === 'KS_TICKET';
  return isTicket || (refusal && state?.strikes?.codes.includes(refusal.code)) ? refusal : undefined;
}

function describeTimeout(refusal: Refusal | undefined, until: number, serverOffsetMs: number): string {
  const why = refusal?.isStrike ? `${refusal.what}. ` : '';
  return `${why}${t('refusal.KS_COOLDOWN.what')}. ${t('wait.until', { moment: formatMoment(until, serverOffsetMs) })}`;
}

const QUARTER_MS = 15 * 60_000;
const DAY_MS = 24 * 60 * 60_000;

/** How long a timeout usually is; the ring of another one stays full at first. */
function timeoutMs(strikes = 0): number {
  return strikes < 5 ? QUARTER_MS : DAY_MS;
}

interface KeptRunProps {
  state: RunState;
  /** Whether the refusal has ended the run that it is about. A later one is not the one that was kept. */
  isOver: boolean;
}

/** What a refused return has left of the run: the key as far as it is cut, and where it goes on. */
function KeptRun({ state, isOver }: KeptRunProps) {
  const run = isOver ? undefined : state.run;
  const step = run?.step ?? 1;
  const of = run?.of ?? state.stepsRequired;

  return (
    <div className={css.run}>
      <RunKey of={of} done={step - 1} current={step} />
      <h2 className={css.step}>{t('step.count', { step, of })}</h2>
      {run && <p>{t('bypass.kept')}</p>}
    </div>
  );
}
