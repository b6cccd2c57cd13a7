import { Notice } from '@app/design-system/notice';
import type { OperatingSystem } from '@app/contracts/key-system';
import { afterFirstPaint } from '@app/platform';
import { useEffect, useRef, useState } from 'react';
import { t } from '../../words.ts';
import type { CaptchaState } from './altcha.ts';
import css from './captcha.module.css';
import { verifyCaptcha } from './verify-captcha.ts';

interface CaptchaProps {
  hwid: string;
  os: OperatingSystem;
  advertiser: string;
  onPassed: () => void;
}

/** Proves some work to the server. It starts by itself; the visitor watches. */
export function Captcha({ hwid, os, advertiser, onPassed }: CaptchaProps) {
  const place = useRef<HTMLDivElement>(null);
  const latest = useRef({ advertiser, onPassed });
  const [problem, setProblem] = useState<string>();

  useEffect(() => {
    latest.current = { advertiser, onPassed };
  });

  useEffect(() => {
    const parent = place.current;
    if (!parent) return;

    async function submit(payload: string) {
      const outcome = await verifyCaptcha({ payload, hwid, os, advertiser: latest.current.advertiser });
      setProblem(outcome === 'failed' ? t('captcha.failed') : outcome === 'no answer' ? t('captcha.noAnswer') : undefined);
      if (outcome === 'passed') latest.current.onPassed();
    }

    function onStateChange(state: CaptchaState, payload: string | undefined) {
      if (state === 'error') setProblem(t('captcha.noAnswer'));
      if (state === 'verified' && payload) void submit(payload);
    }

    const isGone = new AbortController();
    afterFirstPaint()
      .then(() => import(/* webpackChunkName: "altcha" */ './altcha.ts'))
      .then(
        ({ createWidget }) => {
          if (!isGone.signal.aborted) parent.replaceChildren(createWidget({ hwid, os, onStateChange }));
        },
        () => setProblem(t('captcha.noAnswer')),
      );
    return () => {
      isGone.abort();
      parent.replaceChildren();
    };
  }, [hwid, os]);

  return (
    <div className={css.captcha}>
      <div ref={place} className={css.place} />
      {problem && <Notice kind="warning" title={problem} />}
    </div>
  );
}
