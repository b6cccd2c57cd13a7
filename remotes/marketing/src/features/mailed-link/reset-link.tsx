import { PAGES } from '@app/contracts/pages';
import { resetDetailsSchema } from '@app/contracts/checkout';
import { buttonClass } from '@app/design-system/button';
import { FactList } from '@app/design-system/fact-list';
import { DeviceSign, StatusIcon } from '@app/design-system/state-sign';
import { ApiError, callApi, fetchJson, Link, postJson, useNavigate } from '@app/platform';
import type { ComponentProps } from 'react';
import { formatDate } from '../../date.ts';
import {
  ConfirmButton,
  LinkCard,
  MailedLink,
  type UsableLink,
  planFact,
  withServerOffset,
  useConfirm,
} from './mailed-link.tsx';
import { t } from './words.ts';

type ResetDetails = Awaited<ReturnType<typeof readReset>>;

/** Takes the devices off a plan, by a link of a mail. */
export function ResetLink() {
  return (
    <MailedLink
      heading={t('reset.heading')}
      lead={t('reset.lead')}
      pasteIn="/api/reset-details"
      steps={[t('reset.step.1'), t('reset.step.2'), t('reset.step.3')]}
      art={resetIcon}
      read={readReset}
      renewal={{
        action: (
          <Link className={buttonClass()} to={`${PAGES.v5}#reset`}>
            {t('reset.ask')}
          </Link>
        ),
      }}
    >
      {(link) => <ConfirmReset {...link} />}
    </MailedLink>
  );
}

function ConfirmReset({ token, details, sayOver }: UsableLink<ResetDetails>) {
  const { devices, nextAt, serverOffsetMs } = details;
  const navigate = useNavigate();
  const { error, ...rest } = useConfirm({
    send: () => fetchJson('/api/confirmresetdevices', postJson({ token })),
    onDone: () => navigate(PAGES.resetSuccess),
    onOver: sayOver,
  });
  const facts = (
    <FactList
      facts={[
        planFact(details),
        ...devices.map(({ boundAt }, at) => ({
          label: t('reset.device', { number: at + 1 }),
          value: t('reset.since', { day: formatDate(boundAt, serverOffsetMs).day }),
        })),
      ]}
    />
  );

  if (devices.length === 0)
    return <LinkCard at={3} art={resetIcon('open')} title={t('reset.none')} text={t('reset.none.text')} />;

  const allowedAt = nextAt === null ? limitOf(error) : nextAt - serverOffsetMs;
  if (allowedAt !== undefined)
    return (
      <LinkCard
        at="none"
        isAnswer={error !== undefined}
        art={resetIcon('waiting')}
        title={t('reset.later', formatDate(allowedAt, 0))}
        text={t('reset.later.text')}
      >
        {facts}
      </LinkCard>
    );

  return (
    <LinkCard
      at={2}
      art={resetIcon('open')}
      title={t('reset.title', { count: devices.length })}
      text={t('reset.text')}
      before={t('reset.next')}
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
    </LinkCard>
  );
}

async function readReset(request: RequestInit) {
  return withServerOffset(await callApi(resetDetailsSchema, '/api/reset-details', request));
}

function resetIcon(is: ComponentProps<typeof StatusIcon>['is']) {
  return <StatusIcon is={is} from={<DeviceSign />} to={<DeviceSign />} />;
}

/** When the next reset is allowed by the clock of this device, as the refusal of one says; undefined for other failures. */
function limitOf(error: unknown): number | undefined {
  return error instanceof ApiError && error.code === 'RST_LIMIT' ? error.retryAt : undefined;
}
