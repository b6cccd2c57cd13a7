import { LaunchLink } from '@app/brand-ui/launch';
import { Button } from '@app/design-system/button';
import { Notice } from '@app/design-system/notice';
import { Page } from '@app/design-system/page';
import { StickyAction } from '@app/design-system/sticky-action';
import { Navigate, useIsHydrated, useLocation, useSearchParams, useVisitor } from '@app/platform';
import { addressOf } from '../features/device/app-address.ts';
import { askForApp } from '../features/device/ask-for-app.ts';
import { KeyWindow } from '../features/key/key-window.tsx';
import { GoOnAt } from '../features/wait/go-on-at.tsx';
import { APP_NAMES, appOf, beginPath, deviceQuery, runPagePath } from '../features/run/run-address.ts';
import { RunFacts } from '../features/run/run-facts.tsx';
import { StandingNotice } from '../features/run/standing-notice.tsx';
import { truePage } from '../features/run/true-page.ts';
import { useHeld } from '../features/wait/use-held.ts';
import { useRunState, type RunReading } from '../features/run/use-run-state.ts';
import { t } from '../words.ts';
import css from './getkey-page.module.css';

/** The end of a run. Whoever has no working key is led to the step that is missing. */
export function GetkeyPage() {
  const { pathname } = useLocation();
  const [query] = useSearchParams();
  const { hwid, zone, os } = useVisitor();
  const isUnknown = useIsHydrated() && !hwid;
  const app = appOf(pathname);
  const { reading, reload } = useRunState({ app, hwid, zone });
  const state = reading.status === 'ready' ? reading.state : undefined;
  const blocked = blockOf(reading);
  const begin = beginPath(app, deviceQuery(query));
  const [isHeld, release] = useHeld(reading.status === 'failed' ? reading.retryAt : undefined);

  function goOn() {
    release();
    reload();
  }

  if (state && !state.key?.active)
    return <Navigate to={runPagePath(app, truePage(state), deviceQuery(query))} replace />;

  return (
    <Page narrow eyebrow={APP_NAMES[app]} heading={t('getkey.page')}>
      <div className={css.parts}>
        <RunFacts reading={reading} hwid={hwid} os={os} onEnd={reload} />
        {isUnknown ? (
          <p className={css.words}>{t('device.howTo')}</p>
        ) : blocked ? (
          <StandingNotice {...blocked} onEnd={reload} />
        ) : (
          <Finding reading={reading} onEnd={goOn} isHeld={isHeld} />
        )}
      </div>
      {isUnknown && (
        <StickyAction inPlace>
          <Button wide onClick={() => void askForApp(app)}>
            {t('getkey.getKey')}
          </Button>
        </StickyAction>
      )}
      {reading.status === 'failed' && (
        <StickyAction inPlace>
          {reading.isRefused ? (
            <LaunchLink {...addressOf(app)}>{t('device.openApp')}</LaunchLink>
          ) : (
            <Button wide disabled={isHeld} onClick={reload}>
              {t('run.tryAgain')}
            </Button>
          )}
        </StickyAction>
      )}
      {reading.status === 'ready' && reading.state.key && !blocked && (
        <KeyWindow
          app={app}
          address={addressOf(app)}
          expiresAt={reading.state.key.expiresAt}
          serverOffsetMs={reading.serverOffsetMs}
          renewAt={reading.state.key.renewable ? begin : undefined}
          elsewhereAt={reading.state.key.zone === 'same' ? undefined : begin}
          onEnd={reload}
        />
      )}
    </Page>
  );
}

/** What is found out about the key, beside the window that shows it. */
function Finding({ reading, isHeld, onEnd }: { reading: RunReading; isHeld: boolean; onEnd: () => void }) {
  if (reading.status !== 'failed') {
    return (
      <p className={css.words} role="status">
        {t(reading.status === 'loading' ? 'getkey.looking' : 'getkey.ready')}
      </p>
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
    <Notice kind="warning" title={t('getkey.failed')}>
      {reading.retryAt !== undefined && <GoOnAt until={reading.retryAt} isOver={!isHeld} onEnd={onEnd} />}
    </Notice>
  );
}

/** A device that the team blocked gets no key, even where one would still work. */
function blockOf(reading: RunReading) {
  if (reading.status !== 'ready' || reading.state.cooldown?.reason !== 'KS_BLOCKED') return undefined;

  return { standing: reading.state.cooldown, serverOffsetMs: reading.serverOffsetMs };
}
