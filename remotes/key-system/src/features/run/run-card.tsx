import { parseErrorCode } from '@app/contracts/errors';
import { pickAdvertiser, type AdvertiserId, type AppId } from '@app/contracts/key-system';
import type { RunState } from '@app/contracts/key-system-schemas';
import { Card } from '@app/design-system/card';
import { Notice } from '@app/design-system/notice';
import { useSearchParams, type Visitor } from '@app/platform';
import { DeviceId } from '../device/device-id.tsx';
import { t } from '../../words.ts';
import { CurrentStep } from './current-step.tsx';
import { noticeFor } from './notices.ts';
import { RunDeadline } from './run-deadline.tsx';
import { Stepper } from './stepper.tsx';

interface RunCardProps {
  app: AppId;
  step: number;
  state: RunState;
  visitor: Visitor & { hwid: string; zone: string };
}

/** The step that a run stands at, with all that is needed to finish it. */
export function RunCard({ app, step, state, visitor }: RunCardProps) {
  const [query, setQuery] = useSearchParams();
  const notice = noticeFor(parseErrorCode(query.get('e')));
  const of = state.run?.of ?? state.stepsRequired;
  const isWaiting = Boolean(state.run?.waiting);

  function remember(advertiser: AdvertiserId) {
    setQuery((known) => new URLSearchParams([...known].filter(([name]) => name !== 'advertiser').concat([['advertiser', advertiser]])), {
      replace: true,
      preventScrollReset: true,
    });
  }

  return (
    <>
      {notice && <Notice title={notice} />}
      {isWaiting && (
        <Notice title={t('run.waiting')}>
          {t('run.waitingWhy')}
        </Notice>
      )}
      <Card label={t('step.card')}>
        <h2>{t('step.card')}</h2>
        <Stepper current={step} of={of} />
        <CurrentStep
          key={step}
          app={app}
          step={step}
          of={of}
          isNew={!state.run}
          hwid={visitor.hwid}
          zone={visitor.zone}
          os={visitor.os}
          advertiser={pickAdvertiser(app, step, query.get('advertiser') ?? undefined)}
          onChoose={remember}
        />
        <DeviceId hwid={visitor.hwid} />
        {state.run && <RunDeadline expiresAt={state.run.expiresAt} />}
      </Card>
    </>
  );
}
