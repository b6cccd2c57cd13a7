import type { OperatingSystem } from '@app/contracts/key-system';
import { Button } from '@app/design-system/button';
import { showAlert } from '@app/design-system/confirm';
import { Notice } from '@app/design-system/notice';
import { VisuallyHidden } from '@app/design-system/visually-hidden';
import { siteSettings } from '@app/platform';
import { useEffect, type ReactNode } from 'react';
import { t } from '../../words.ts';
import css from './captcha.module.css';
import { useCaptcha, type CaptchaWait } from './use-captcha.ts';

/** A text in place of the captcha, when it is loading or not needed. It has the same height. */
export function CaptchaRow({ children }: { children: ReactNode }) {
  return <p className={css.row}>{children}</p>;
}

interface CaptchaProps {
  /** Undefined in the first render, which does not know it. */
  hwid: string | undefined;
  os: OperatingSystem;
  advertiser: string;
  /** Called with true when the server has accepted the captcha, and with false when that is over. */
  onChange: (isPassed: boolean) => void;
  /** Called with whether the captcha is busy and needs nothing of the visitor. */
  onWork?: (isWorking: boolean) => void;
  /** Renders the pause after too many tries. It has to call `resume` at its end. */
  renderWait: (wait: CaptchaWait) => ReactNode;
}

/**
 * Shows the captcha of the site's settings and has the server verify its solution. The site's own captcha starts by
 * itself.
 */
export function Captcha({ hwid, os, advertiser, onChange, onWork, renderWait }: CaptchaProps) {
  const settings = siteSettings().captcha;
  const { place, status, wait, hasProblem, tryAgain } = useCaptcha({
    settings,
    hwid,
    os,
    advertiser,
    onChange,
    onRefused,
  });

  // Only the site's own captcha solves itself.
  const isWorking = status === 'loading' || (status === 'ready' && settings.provider === 'altcha' && !hasProblem);

  useEffect(() => {
    onWork?.(isWorking);
    return () => onWork?.(false);
  }, [onWork, isWorking]);

  return (
    <div className={css.captcha} data-provider={settings.provider} data-status={status}>
      <div ref={place} className={css.place} hidden={status === 'failed' || status === 'limited'} />
      {status === 'loading' && <CaptchaRow>{t('captcha.loading')}</CaptchaRow>}
      {hasProblem && <Notice kind="warning" title={t('captcha.error')} />}
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

/** Shows why the server did not accept a solution. Resolves when the visitor has closed the message. */
function onRefused(outcome: 'failed' | 'no answer'): Promise<void> {
  return showAlert({
    title: t('captcha.title'),
    text: outcome === 'failed' ? t('captcha.failed') : t('captcha.noAnswer'),
  });
}
