import type { AppId } from '@app/contracts/key-system';
import { buttonClass } from '@app/design-system/button';
import { Page } from '@app/design-system/page';
import { DeviceId } from '../features/device/device-id.tsx';
import { AskInChat, CooldownNotice, type CooldownNoticeProps } from '../features/run/cooldown-notice.tsx';
import { APP_NAMES } from '../features/run/run-address.ts';
import { t } from '../words.ts';
import css from './plan-page.module.css';

interface BlockedPageProps extends Pick<CooldownNoticeProps, 'cooldown' | 'serverOffsetMs' | 'onEnd'> {
  app: AppId;
  hwid: string | undefined;
}

/** Stands in place of any step, for a device that the team blocked: the reason, and what to tell the team in the chat. */
export function BlockedPage({ app, hwid, ...block }: BlockedPageProps) {
  return (
    <Page narrow quiet eyebrow={APP_NAMES[app]} heading={t('getkey.page')}>
      <div className={css.parts}>
        <CooldownNotice {...block} isBrief />
        <DeviceId hwid={hwid} />
        <AskInChat className={buttonClass({ kind: 'quiet', wide: true })} />
      </div>
    </Page>
  );
}
