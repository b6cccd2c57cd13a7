import { PAGES } from '@app/contracts/pages';
import { resetDetailsSchema } from '@app/contracts/till';
import { buttonClass } from '@app/design-system/button';
import { FactList } from '@app/design-system/fact-list';
import { DeviceSign, StateSign } from '@app/design-system/state-sign';
import { ApiError, callApi, fetchJson, Link, postJson, useNavigate } from '@app/platform';
import type { ComponentProps } from 'react';
import { dayOf, momentOf } from '../../moments.ts';
import { ConfirmButton } from './confirm-button.tsx';
import { LinkCard } from './link-card.tsx';
import { MailedLink, type OpenLink } from './mailed-link.tsx';
import { planFacts } from './plan-facts.ts';
import css from './reset-link.module.css';
import { useConfirm } from './use-confirm.ts';
import { t } from './words.ts';

type Details = Awaited<ReturnType<typeof readReset>>;

const NEXT = ['stays', 'keys', 'next'] as const;

/** Takes the devices off a plan, by a link of a mail. */
export function ResetLink() {
  return (
    <MailedLink
      heading={t('reset.heading')}
      lead={t('reset.lead')}
      art={drawReset}
      read={readReset}
      renewal={{
        action: (
          <Link className={buttonClass()} to={`${PAGES.v5}#reset`}>
            {t('reset.ask')}
          </Link>
        ),
      }}
    >
      {(link) => <AskReset {...link} />}
    </MailedLink>
  );
}

function AskReset({ token, details: { devices, plan, nextAt }, sayOver }: OpenLink<Details>) {
  const navigate = useNavigate();
  const { error, ...rest } = useConfirm({
    send: () => fetchJson('/api/confirmresetdevices', postJson({ token })),
    onDone: () => navigate(PAGES.resetSuccess),
    onOver: sayOver,
  });
  const facts = (
    <FactList
      facts={[
        ...planFacts(plan),
        ...devices.map(({ boundAt }, at) => ({
          label: t('reset.device', { number: at + 1 }),
          value: t('reset.since', { day: dayOf(boundAt) }),
        })),
      ]}
    />
  );

  if (devices.length === 0)
    return <LinkCard art={drawReset('open')} title={t('reset.none')} text={t('reset.none.text')} />;

  const allowedAt = nextAt ?? limitOf(error);
  if (allowedAt !== undefined)
    return (
      <LinkCard
        art={drawReset('failed')}
        title={t('reset.later', { moment: momentOf(allowedAt) })}
        text={t('reset.later.text')}
      >
        {facts}
      </LinkCard>
    );

  return (
    <LinkCard
      art={drawReset('open')}
      title={t('reset.title', { count: devices.length })}
      actions={
        <>
          <ConfirmButton error={error} {...rest}>
            {t('reset.go')}
          </ConfirmButton>
          <Link className={buttonClass({ kind: 'quiet' })} to={PAGES.home}>
            {t('reset.keep')}
          </Link>
        </>
      }
    >
      {facts}
      <ul className={css.next}>
        {NEXT.map((what) => (
          <li key={what}>{t(`reset.${what}`)}</li>
        ))}
      </ul>
    </LinkCard>
  );
}

function readReset(request: RequestInit) {
  return callApi(resetDetailsSchema, '/api/reset-details', request);
}

function drawReset(is: ComponentProps<typeof StateSign>['is']) {
  return <StateSign is={is} from={<DeviceSign />} to={<DeviceSign />} />;
}

/** When the next reset is allowed, by the refusal of one. Undefined for any other failure. */
function limitOf(error: unknown): number | undefined {
  return error instanceof ApiError && error.code === 'RST_LIMIT' ? error.retryAt : undefined;
}
