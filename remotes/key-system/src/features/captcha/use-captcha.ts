import { showAlert } from '@app/design-system/confirm';
import { afterFirstPaint, fetchInTime, postJson, retryAtOf, showToast, siteSettings } from '@app/platform';
import { useEffect, useRef, useState } from 'react';
import { t } from '../../words.ts';
import { loadWidget } from './load-widget.ts';
import type { CaptchaEvent, CaptchaSubject, CaptchaWidget } from './widget.ts';

/**
 * `loading`: the widget is not there yet. `ready`: it waits for a solution. `passed`: the server has accepted one.
 * `failed`: the widget could not be loaded. `limited`: the server accepts no solutions for a while.
 */
type CaptchaStatus = 'loading' | 'ready' | 'passed' | 'failed' | 'limited';

/** A pause that the server asks for. `until` is in epoch milliseconds, by this device's clock. */
export interface CaptchaWait {
  until: number;
  resume: () => void;
}

export interface CaptchaOptions extends Omit<CaptchaSubject, 'hwid'> {
  /** Undefined in the first render, which does not know it; the widget waits then. */
  hwid: string | undefined;
  /** Sent with the solution. A solution stays valid when the visitor chooses another advertiser. */
  advertiser: string;
  /** Called with true when the server has accepted the captcha, and with false when that is over. */
  onChange: (isPassed: boolean) => void;
}

/**
 * Shows a captcha in the element of `place`. A new device, system or setting replaces it.
 * @returns `hasProblem`: whether the widget had a problem, and waits for the visitor
 */
export function useCaptcha(options: CaptchaOptions) {
  const { hwid, os } = options;
  const settings = siteSettings().captcha;
  const place = useRef<HTMLDivElement>(null);
  const latest = useRef(options);
  const [status, setStatus] = useState<CaptchaStatus>('loading');
  const [wait, setWait] = useState<CaptchaWait>();
  const [hasProblem, setHasProblem] = useState(false);
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

      setHasProblem(isProblem);
      if (!isProblem) showToast(t('captcha.expired'));
      widget?.reset();
    }

    function onEvent(event: CaptchaEvent) {
      if (gone.signal.aborted) return;
      setHasProblem(false);
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
      setHasProblem(false);
      latest.current.onChange(false);
    };
  }, [settings, hwid, os, tries]);

  return {
    place,
    provider: settings.provider,
    status,
    wait: status === 'limited' ? wait : undefined,
    hasProblem,
    tryAgain: () => setTries((count) => count + 1),
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

interface CaptchaAnswer extends CaptchaSubject {
  token: string;
  advertiser: string;
}

interface CaptchaReply {
  outcome: 'passed' | 'failed' | 'no answer';
  /** When the server accepts captchas again, in epoch milliseconds by this device's clock; undefined if it did not say. */
  retryAt?: number | undefined;
}

/**
 * Has the server verify a solved captcha. Only a success of exactly `true` counts as passed. It never throws: without
 * an answer, or with an error of the server, the outcome is `no answer`.
 */
export async function verifyCaptcha({ token, hwid, os, advertiser }: CaptchaAnswer): Promise<CaptchaReply> {
  try {
    const body = { 'g-recaptcha-response': token, hwid, OS: os, advertiser };
    return await fetchInTime('/api/v2/verify-captcha', postJson(body), async (response) => {
      const retryAt = retryAtOf(response);
      if (response.status >= 500) return { outcome: 'no answer', retryAt };

      return { outcome: response.ok && (await response.text()) === 'true' ? 'passed' : 'failed', retryAt };
    });
  } catch {
    return { outcome: 'no answer' };
  }
}
