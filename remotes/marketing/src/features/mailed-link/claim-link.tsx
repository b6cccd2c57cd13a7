import { PAGES } from '@app/contracts/pages';
import { claimDetailsSchema, claimedSchema } from '@app/contracts/checkout';
import { buttonClass } from '@app/design-system/button';
import { FactList } from '@app/design-system/fact-list';
import { Notice } from '@app/design-system/notice';
import { DaysSign, DeviceSign, StatusIcon } from '@app/design-system/state-sign';
import { ApiError, callApi, Link, postJson } from '@app/platform';
import { useState, type ComponentProps, type ReactNode } from 'react';
import {
  ConfirmButton,
  describePlan,
  LinkCard,
  MailedLink,
  type OpenLink,
  planFact,
  told,
  type ToldPlan,
  useConfirm,
} from './mailed-link.tsx';
import { t } from './words.ts';

type Details = Awaited<ReturnType<typeof readClaim>>;

/** Adds a device to a plan, by a link of a mail. */
export function ClaimLink({ launch }: { launch: ReactNode }) {
  return (
    <MailedLink
      heading={t('claim.heading')}
      lead={t('claim.lead')}
      pasteIn="/api/claim-details"
      steps={[t('claim.step.1'), t('claim.step.2'), t('claim.step.3')]}
      art={drawClaim}
      read={readClaim}
      renewal={{
        text: t('claim.ask.text'),
        action: (
          <Link className={buttonClass()} to={PAGES.plans}>
            {t('claim.ask')}
          </Link>
        ),
      }}
    >
      {(link) => <AskClaim launch={launch} {...link} />}
    </MailedLink>
  );
}

function AskClaim({ token, details, sayOver, launch }: OpenLink<Details> & { launch: ReactNode }) {
  const { device, freePlaces, places, isBound } = details;
  const [claimed, setClaimed] = useState<ToldPlan>();
  const { error, ...rest } = useConfirm({
    send: async () => told(await callApi(claimedSchema, '/api/confirm-claim', postJson({ token }))),
    onDone: setClaimed,
    onOver: sayOver,
  });

  if (claimed) return <OnPlan isAnswer title={t('claim.done')} plan={claimed} launch={launch} />;
  if (isBound) return <OnPlan title={t('claim.bound')} plan={details} launch={launch} />;
  if (freePlaces === 0 || isFullBy(error)) return <FullPlan isAnswer={error !== undefined} places={places} />;

  return (
    <LinkCard
      at={2}
      art={drawClaim('open', details)}
      title={t('claim.title')}
      actions={
        <ConfirmButton error={error} {...rest}>
          {t('claim.go')}
        </ConfirmButton>
      }
    >
      <FactList facts={[{ label: t('claim.device'), value: device }]} />
      <Notice kind="warning" title={t('claim.own')} />
      <FactList
        facts={[planFact(details), { label: t('claim.places'), value: t('claim.free', { free: freePlaces, places }) }]}
      />
    </LinkCard>
  );
}

interface OnPlanProps {
  title: string;
  plan: ToldPlan;
  launch: ReactNode;
  isAnswer?: boolean;
}

/** The device is on the plan: until when, and what to do with it. */
function OnPlan({ plan, launch, ...rest }: OnPlanProps) {
  const { name, end } = describePlan(plan);

  return (
    <LinkCard
      {...rest}
      at={3}
      art={drawClaim('done', plan)}
      text={t('claim.done.text', { plan: name, ...end })}
      actions={
        <>
          {launch}
          <Link className={buttonClass({ kind: 'quiet' })} to={PAGES.plans}>
            {t('claim.plans')}
          </Link>
        </>
      }
    />
  );
}

function FullPlan({ places, isAnswer }: { places: number; isAnswer: boolean }) {
  return (
    <LinkCard
      isFailure
      isAnswer={isAnswer}
      at="none"
      art={drawClaim('failed')}
      title={t('claim.full', { places })}
      text={t('claim.full.text')}
      actions={
        <Link className={buttonClass()} to={`${PAGES.v5}#reset`}>
          {t('claim.reset')}
        </Link>
      }
    />
  );
}

async function readClaim(request: RequestInit) {
  return told(await callApi(claimDetailsSchema, '/api/claim-details', request));
}

function drawClaim(is: ComponentProps<typeof StatusIcon>['is'], plan?: ToldPlan) {
  return (
    <StatusIcon is={is} from={<DaysSign {...(plan && { days: describePlan(plan).days })} />} to={<DeviceSign />} />
  );
}

function isFullBy(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'CLM_FULL';
}
