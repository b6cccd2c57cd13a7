import type { AppId } from '@app/contracts/key-system';
import type { AppFacts } from '@app/contracts/key-system-schemas';
import { buttonClass } from '@app/design-system/button';
import { DeviceId } from '../features/device/device-id.tsx';
import { AskInChat, CooldownNotice, type CooldownNoticeProps } from '../features/run/cooldown-notice.tsx';
import { AppPage } from '../features/run/app-page.tsx';
import { t } from '../words.ts';
import css from './plan-page.module.css';

interface BlockedPageProps extends Pick<CooldownNoticeProps, 'cooldown' | 'serverOffsetMs' | 'onEnd'> {
  app: AppId;
  about: AppFacts | undefined;
  hwid: string | undefined;
}

/** Stands in place of any step, for a device that the team blocked: the reason, and what to tell the team in the chat. */
export function BlockedPage({ app, about, hwid, ...block }: BlockedPageProps) {
  return (
    <AppPage app={app} about={about} narrow quiet heading={t('getkey.page')}>
      <div className={css.parts}>
        <CooldownNotice {...block} isBrief />
        <DeviceId hwid={hwid} />
        <AskInChat className={buttonClass({ kind: 'quiet', wide: true })} />
      </div>
    </AppPage>
  );
}
