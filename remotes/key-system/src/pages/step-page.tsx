import { Button, ButtonRow } from '@app/design-system/button';
import { Card } from '@app/design-system/card';
import { Notice } from '@app/design-system/notice';
import { Page } from '@app/design-system/page';
import { ApiError, useLocation, useSearchParams, useVisitor } from '@app/platform';
import { DeviceId } from '../features/device/device-id.tsx';
import { OpenInApp } from '../features/device/open-in-app.tsx';
import { MoveOn } from '../features/run/move-on.tsx';
import { APP_NAMES, appOf, runPagePath, stepOf } from '../features/run/run-address.ts';
import { RunCard } from '../features/run/run-card.tsx';
import { truePage } from '../features/run/true-page.ts';
import { useRunState } from '../features/run/use-run-state.ts';
import { t } from '../words.ts';

/** Any step of either app. An address earns nothing: the page goes where the server says the run stands. */
export function StepPage() {
  const { pathname } = useLocation();
  const [query] = useSearchParams();
  const visitor = useVisitor();
  const { hwid, zone } = visitor;

  const app = appOf(pathname);
  const step = stepOf(pathname) ?? 1;
  const isWaiting = query.get('wait') === '1';
  const { reading, reload } = useRunState({ app, hwid, zone, isWaiting });

  if (hwid && zone && reading.status === 'ready') {
    const target = truePage(reading.state);
    if (target !== step) return <MoveOn from={step} target={target} to={runPagePath(app, target, queryFor(query, target, step))} />;
  }

  return (
    <Page eyebrow={APP_NAMES[app]} heading={t('step.heading', { step })} narrow>
      {!hwid || !zone ? (
        <Card label={t('step.card')}>
          <OpenInApp />
          <DeviceId hwid={hwid} />
        </Card>
      ) : reading.status === 'ready' ? (
        <RunCard app={app} step={step} state={reading.state} visitor={{ ...visitor, hwid, zone }} />
      ) : reading.status === 'failed' ? (
        <UnreadableRun error={reading.error} onRetry={reload} />
      ) : (
        <Card label={t('step.card')}>
          <p role="status">{t('run.looking')}</p>
        </Card>
      )}
    </Page>
  );
}

function UnreadableRun({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const isRefused = error instanceof ApiError && !error.retryable;

  return (
    <Card label={t('step.card')}>
      <Notice kind="warning" title={isRefused ? error.message : t('run.unreadable')}>
        {isRefused ? t('run.openAgain') : t('run.nothingLost')}
      </Notice>
      {!isRefused && (
        <ButtonRow>
          <Button onClick={onRetry}>{t('run.tryAgain')}</Button>
        </ButtonRow>
      )}
    </Card>
  );
}

/** Moving to the true step keeps device and advertiser; being sent back from a step not yet earned is said. */
function queryFor(query: URLSearchParams, target: number | 'getkey', step: number): URLSearchParams {
  const next = new URLSearchParams(query);
  next.delete('wait');
  if (typeof target === 'number' && target < step && !next.has('e')) next.set('e', 'KS_STEP');
  return next;
}
