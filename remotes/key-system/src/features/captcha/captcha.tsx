import { Button } from '@app/design-system/button';
import { Notice } from '@app/design-system/notice';
import { VisuallyHidden } from '@app/design-system/visually-hidden';
import { useEffect, type ReactNode } from 'react';
import { t } from '../../words.ts';
import css from './captcha.module.css';
import { useCaptcha, type CaptchaOptions, type CaptchaWait } from './use-captcha.ts';

/** A text in place of the captcha, when it is loading or not needed. It has the same height. */
export function CaptchaRow({ children }: { children: ReactNode }) {
  return <p className={css.row}>{children}</p>;
}

interface CaptchaProps extends CaptchaOptions {
  /** Called with whether the captcha is busy and needs nothing of the visitor. */
  onWork?: (isWorking: boolean) => void;
  /** Renders the pause after too many tries. It has to call `resume` at its end. */
  renderWait: (wait: CaptchaWait) => ReactNode;
}

/**
 * Shows the captcha of the site's settings and has the server verify its solution. The site's own captcha starts by
 * itself.
 */
export function Captcha({ onWork, renderWait, ...options }: CaptchaProps) {
  const { place, provider, status, wait, hasProblem, tryAgain } = useCaptcha(options);

  // Only the site's own captcha solves itself.
  const isWorking = status === 'loading' || (status === 'ready' && provider === 'altcha' && !hasProblem);

  useEffect(() => {
    onWork?.(isWorking);
    return () => onWork?.(false);
  }, [onWork, isWorking]);

  return (
    <div className={css.captcha} data-provider={provider} data-status={status}>
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
