import type { OperatingSystem } from '@app/contracts/key-system';
import { Button } from '@app/design-system/button';
import { showAlert } from '@app/design-system/confirm';
import { Notice } from '@app/design-system/notice';
import { VisuallyHidden } from '@app/design-system/visually-hidden';
import { siteSettings } from '@app/platform';
import type { ReactNode } from 'react';
import { t } from '../../words.ts';
import { CaptchaRow } from './captcha-row.tsx';
import css from './captcha.module.css';
import { useCaptcha, type CaptchaWait } from './use-captcha.ts';

interface CaptchaProps {
  hwid: string;
  os: OperatingSystem;
  advertiser: string;
  /** Told when the server has taken the captcha, and when that has run out. */
  onChange: (isPassed: boolean) => void;
  /** Says when a limit lets one go on, and sees to it that one does. */
  renderWait: (wait: CaptchaWait) => ReactNode;
}

/** Proves to the server that somebody is there. Where it can, it starts by itself. */
export function Captcha({ hwid, os, advertiser, onChange, renderWait }: CaptchaProps) {
  const settings = siteSettings().captcha;
  const { place, status, wait, tryAgain } = useCaptcha({ settings, hwid, os, advertiser, onChange, onRefused });

  return (
    <div className={css.captcha} data-provider={settings.provider} data-status={status}>
      <div ref={place} className={css.place} hidden={status === 'failed' || status === 'limited'} />
      {status === 'loading' && <CaptchaRow>{t('captcha.loading')}</CaptchaRow>}
      {status === 'failed' && (
        <Notice kind="warning" title={t('captcha.notLoaded')}>
          {t('captcha.notLoadedWhy')}
        </Notice>
      )}
      {status === 'failed' && (
        <Button kind="quiet" onClick={tryAgain}>
          {t('captcha.tryAgain')}
        </Button>
      )}
      {wait && <Notice title={t('captcha.limited')}>{renderWait(wait)}</Notice>}
      <VisuallyHidden>
        <span role="status">{status === 'passed' && t('captcha.passed')}</span>
      </VisuallyHidden>
    </div>
  );
}

/** Says why it was not taken, and waits until that is read. */
function onRefused(outcome: 'failed' | 'no answer'): Promise<void> {
  return showAlert({
    title: t('captcha.title'),
    text: outcome === 'failed' ? t('captcha.failed') : t('captcha.noAnswer'),
  });
}
