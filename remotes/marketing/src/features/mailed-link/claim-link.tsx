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
  type UsableLink,
  planFact,
  withServerOffset,
  type PlanWithOffset,
  useConfirm,
} from './mailed-link.tsx';
import { t } from './words.ts';

type ClaimDetails = Awaited<ReturnType<typeof readClaim>>;

/** Adds a device to a plan, by a link of a mail. */
export function ClaimLink({ launch }: { launch: ReactNode }) {
  return (
    <MailedLink
      heading={t('claim.heading')}
      lead={t('claim.lead')}
      pasteIn="/api/claim-details"
      steps={[t('claim.step.1'), t('claim.step.2'), t('claim.step.3')]}
      art={claimIcon}
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
      {(link) => <ConfirmClaim launch={launch} {...link} />}
    </MailedLink>
  );
}

function ConfirmClaim({ token, details, sayOver, launch }: UsableLink<ClaimDetails> & { launch: ReactNode }) {
  const { device, freePlaces, places, isBound } = details;
  const [claimed, setClaimed] = useState<PlanWithOffset>();
  const { error, ...rest } = useConfirm({
    send: async () => withServerOffset(await callApi(claimedSchema, '/api/confirm-claim', postJson({ token }))),
    onDone: setClaimed,
    onOver: sayOver,
  });

  if (claimed) return <OnPlan isAnswer title={t('claim.done')} plan={claimed} launch={launch} />;
  if (isBound) return <OnPlan title={t('claim.bound')} plan={details} launch={launch} />;
  if (freePlaces === 0 || isPlanFullError(error)) return <FullPlan isAnswer={error !== undefined} places={places} />;

  return (
    <LinkCard
      at={2}
      art={claimIcon('open', details)}
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
  plan: PlanWithOffset;
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
      art={claimIcon('done', plan)}
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
      art={claimIcon('failed')}
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
  return withServerOffset(await callApi(claimDetailsSchema, '/api/claim-details', request));
}

function claimIcon(is: ComponentProps<typeof StatusIcon>['is'], plan?: PlanWithOffset) {
  return (
    <StatusIcon is={is} from={<DaysSign {...(plan && { days: describePlan(plan).days })} />} to={<DeviceSign />} />
  );
}

function isPlanFullError(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'CLM_FULL';
}
