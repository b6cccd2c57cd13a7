import type { ReactNode } from 'react';
import { t } from '../../words.ts';
import css from './begin-in-app.module.css';

/** Explains in three drawn frames how to begin in the app, to a visitor whose device is unknown. */
export function BeginInApp() {
  return (
    <section className={css.card} aria-labelledby="begin-in-app">
      <h2 id="begin-in-app" className={css.title}>
        {t('begin.heading')}
      </h2>
      <ol className={css.frames}>
        <Frame words={t('begin.open')}>
          <rect className={css.icon} x="34" y="20" width="28" height="28" rx="8" />
          <path className={css.mark} d="m50 25-8 11h6l-2 8 8-11h-6z" />
          <path className={css.faint} d="M14 24h10M14 34h10m48-10h10M72 34h10" />
        </Frame>
        <Frame words={t('begin.press')}>
          <path className={css.faint} d="M16 18h30M16 26h44" />
          <rect className={css.button} x="20" y="36" width="56" height="16" rx="8" />
          <path className={css.ink} d="M38 44h20" />
          <circle className={css.touch} cx="66" cy="47" r="8" />
        </Frame>
        <Frame words={t('begin.back')}>
          <path className={css.faint} d="M14 16h36" />
          <path className={css.progress} d="M14 26h16m5 0h16" />
          <path className={css.faint} d="M56 26h16" />
          <circle className={css.done} cx="48" cy="44" r="10" />
          <path className={css.ink} d="m43.5 44.5 3.2 3.2 6-6.400" />
        </Frame>
      </ol>
    </section>
  );
}

function Frame({ words, children }: { words: string; children: ReactNode }) {
  return (
    <li className={css.frame}>
      <svg className={css.picture} viewBox="0 0 96 64" aria-hidden="true">
        <rect className={css.phone} x="2" y="2" width="92" height="60" rx="12" />
        {children}
      </svg>
      <p className={css.words}>{words}</p>
    </li>
  );
}
