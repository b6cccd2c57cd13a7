import { Button } from '@app/design-system/button';
import { showAlert } from '@app/design-system/confirm';
import { Notice } from '@app/design-system/notice';
import { VisuallyHidden } from '@app/design-system/visually-hidden';
import { afterFirstPaint, showToast, siteSettings } from '@app/platform';
import { useCallback, useEffect, useRef, useState, type ReactNode } from 'react';
import { t } from '../../words.ts';
import css from './captcha.module.css';
import { loadWidget } from './load-widget.ts';
import { verifyCaptcha, type CaptchaEvent, type CaptchaSubject, type CaptchaWidget } from './widget.ts';

/** A text in place of the captcha, when it is loading or not needed. It has the same height. */
export function CaptchaRow({ children }: { children: ReactNode }) {
  return (
    <p className={css.row} data-needs-script>
      {children}
    </p>
  );
}

interface CaptchaProps extends CaptchaOptions {
  /** Called with whether the captcha is busy and needs nothing of the visitor. */
  onWork?: (isWorking: boolean) => void;
  /** Renders the pause after too many tries. It has to call `resume` at its end. */
  renderWait: (wait: CaptchaWait) => ReactNode;
}

/** Shows the captcha of the site's settings, and has the server verify its solution. */
export function Captcha({ onWork, renderWait, ...options }: CaptchaProps) {
  const { place, provider, status, wait, problem, tryAgain } = useCaptcha(options);

  // Only the site's own captcha solves itself.
  const isWorking = status === 'loading' || (status === 'ready' && provider === 'altcha' && !problem);

  useEffect(() => {
    onWork?.(isWorking);
    return () => onWork?.(false);
  }, [onWork, isWorking]);

  return (
    <div className={css.captcha} data-needs-script data-provider={provider} data-status={status}>
      <div ref={place} className={css.place} hidden={status === 'failed' || status === 'limited'} />
      {status === 'loading' && <CaptchaRow>{t('captcha.loading')}</CaptchaRow>}
      {problem && <Notice kind="warning" title={t(problem === 'offline' ? 'captcha.offline' : 'captcha.error')} />}
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

/**
 * `loading`: the widget is not there yet. `ready`: it waits for a solution. `passed`: the server has accepted one.
 * `failed`: the widget could not be loaded. `limited`: the server accepts no solutions for a while.
 */
type CaptchaStatus = 'loading' | 'ready' | 'passed' | 'failed' | 'limited';

type CaptchaProblem = 'broken' | 'offline';

/** A pause that the server asks for. `until` is in epoch milliseconds, by this device's clock. */
export interface CaptchaWait {
  until: number;
  resume: () => void;
}

interface CaptchaOptions extends Omit<CaptchaSubject, 'hwid'> {
  /** Undefined in the first render, which does not know it; the widget waits then. */
  hwid: string | undefined;
  /** Sent with the solution. A solution stays valid when the visitor chooses another advertiser. */
  advertiser: string;
  /** Called with true when the server has accepted the captcha, and with false when that is over. */
  onChange: (isPassed: boolean) => void;
}

/** Shows a captcha in the element of `place`. A new device, system or setting replaces it. */
function useCaptcha(options: CaptchaOptions) {
  const { hwid, os } = options;
  const settings = siteSettings().captcha;
  const place = useRef<HTMLDivElement>(null);
  const latest = useRef(options);
  const [status, setStatus] = useState<CaptchaStatus>('loading');
  const [wait, setWait] = useState<CaptchaWait>();
  const [problem, setProblem] = useState<CaptchaProblem>();
  const [tries, setTries] = useState(0);

  useEffect(() => {
    latest.current = options;
  });

  useEffect(() => {
    const parent = place.current;
    if (!parent || hwid === undefined) return;

    const subject = { hwid, os };
    const gone = new AbortController();
    let widget: CaptchaWidget | undefined;

    function become(next: CaptchaStatus) {
      setStatus(next);
      latest.current.onChange(next === 'passed');
    }

    async function submit(token: string) {
      const { outcome, retryAt } = await verifyCaptcha({ token, ...subject, advertiser: latest.current.advertiser });
      if (gone.signal.aborted) return;
      if (outcome === 'passed') return become('passed');

      await showAlert({
        title: t('captcha.title'),
        text: t(outcome === 'failed' ? 'captcha.failed' : 'captcha.noAnswer'),
      });
      if (retryAt === undefined) widget?.reset();
      else hold(retryAt);
    }

    function hold(until: number) {
      if (gone.signal.aborted) return;

      become('limited');
      setWait({ until, resume });
    }

    function resume() {
      if (gone.signal.aborted) return;

      become('ready');
      widget?.reset();
    }

    async function renew(isProblem: boolean) {
      become('ready');
      await untilVisible();
      if (gone.signal.aborted) return;

      setProblem(isProblem ? (navigator.onLine ? 'broken' : 'offline') : undefined);
      if (!isProblem) showToast(t('captcha.expired'));
      widget?.reset();
    }

    function onEvent(event: CaptchaEvent) {
      if (gone.signal.aborted) return;
      setProblem(undefined);
      if (event.type === 'solved') void submit(event.token);
      else if (event.type === 'limited') hold(event.until);
      else if (event.type === 'lost') become('failed');
      else void renew(event.type === 'failed');
    }

    async function load(into: HTMLElement) {
      await afterFirstPaint();
      if (gone.signal.aborted) return;

      try {
        widget = await loadWidget(settings)(into, subject, onEvent);
        if (!gone.signal.aborted) setStatus((known) => (known === 'loading' ? 'ready' : known));
      } catch {
        if (!gone.signal.aborted) become('failed');
      }
    }

    // Each widget has an element of its own. A widget that finishes loading after its removal draws outside the page.
    const own = document.createElement('div');
    parent.replaceChildren(own);
    void load(own);
    return () => {
      gone.abort();
      own.remove();
      setStatus('loading');
      setProblem(undefined);
      latest.current.onChange(false);
    };
  }, [settings, hwid, os, tries]);

  const isStuck = problem !== undefined || status === 'failed';
  const tryAgain = useCallback(() => setTries((count) => count + 1), []);

  // What failed without a connection is tried again once it is back.
  useEffect(() => {
    if (!isStuck) return;

    window.addEventListener('online', tryAgain);
    return () => window.removeEventListener('online', tryAgain);
  }, [isStuck, tryAgain]);

  return {
    place,
    provider: settings.provider,
    status,
    wait: status === 'limited' ? wait : undefined,
    problem,
    tryAgain,
  };
}

/** Resolves when the page is visible. A captcha in a background tab needs no renewal before. */
function untilVisible(): Promise<void> {
  if (document.visibilityState === 'visible') return Promise.resolve();

  return new Promise((resolve) => {
    document.addEventListener('visibilitychange', function onChange() {
      if (document.visibilityState !== 'visible') return;

      document.removeEventListener('visibilitychange', onChange);
      resolve();
    });
  });
}
