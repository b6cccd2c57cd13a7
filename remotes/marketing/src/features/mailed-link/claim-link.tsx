import type { ActivePlan } from '@app/contracts/active-plan';
import { PAGES } from '@app/contracts/pages';
import { claimDetailsSchema, claimedSchema } from '@app/contracts/till';
import { buttonClass } from '@app/design-system/button';
import { FactList } from '@app/design-system/fact-list';
import { Notice } from '@app/design-system/notice';
import { DaysSign, DeviceSign, StateSign } from '@app/design-system/state-sign';
import { ApiError, callApi, Link, postJson } from '@app/platform';
import { useState, type ComponentProps, type ReactNode } from 'react';
import { dayOf } from '../../moments.ts';
import { ConfirmButton } from './confirm-button.tsx';
import { LinkCard } from './link-card.tsx';
import { MailedLink, type OpenLink } from './mailed-link.tsx';
import { planFacts, planOf } from './plan-facts.ts';
import { useConfirm } from './use-confirm.ts';
import { t } from './words.ts';

type Details = Awaited<ReturnType<typeof readClaim>>;

/**
 * Adds a device to a plan, by a link of a mail.
 * @param launch the link that opens the app
 */
export function ClaimLink({ launch }: { launch: ReactNode }) {
  return (
    <MailedLink
      heading={t('claim.heading')}
      lead={t('claim.lead')}
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
  const { device, plan, freePlaces, places, isBound } = details;
  const [claimed, setClaimed] = useState<ActivePlan>();
  const { error, ...rest } = useConfirm({
    send: () => callApi(claimedSchema, '/api/confirm-claim', postJson({ token })),
    onDone: (answer) => setClaimed(answer.plan),
    onOver: sayOver,
  });

  if (claimed) return <OnPlan title={t('claim.done')} plan={claimed} launch={launch} />;
  if (isBound) return <OnPlan title={t('claim.bound')} plan={plan} launch={launch} />;
  if (freePlaces === 0 || isFullBy(error)) return <FullPlan places={places} />;

  return (
    <LinkCard
      art={drawClaim('open', plan)}
      title={t('claim.title')}
      actions={
        <ConfirmButton error={error} {...rest}>
          {t('claim.go')}
        </ConfirmButton>
      }
    >
      <FactList
        facts={[
          { label: t('claim.device'), value: device },
          ...planFacts(plan),
          { label: t('claim.places'), value: t('claim.free', { free: freePlaces, places }) },
        ]}
      />
      <Notice kind="warning" title={t('claim.own')} />
    </LinkCard>
  );
}

/** The device is on the plan: until when, and what to do with it. */
function OnPlan({ title, plan, launch }: { title: string; plan: ActivePlan; launch: ReactNode }) {
  return (
    <LinkCard
      art={drawClaim('done', plan)}
      title={title}
      text={t('claim.done.text', { plan: planOf(plan.id).name, day: dayOf(plan.until) })}
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

/** No place is left for another device. */
function FullPlan({ places }: { places: number }) {
  return (
    <LinkCard
      isFailure
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

function readClaim(request: RequestInit) {
  return callApi(claimDetailsSchema, '/api/claim-details', request);
}

function drawClaim(is: ComponentProps<typeof StateSign>['is'], plan?: ActivePlan) {
  return <StateSign is={is} from={<DaysSign {...(plan && { days: planOf(plan.id).days })} />} to={<DeviceSign />} />;
}

function isFullBy(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'CLM_FULL';
}
