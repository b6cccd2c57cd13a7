import type { AppId } from '@app/contracts/key-system';
import { t } from './words.ts';
import css from './begin-in-app.module.css';
import { BeginPicture } from './begin-picture.tsx';

/** Explains how to begin in the app, on a page with another heading, to a visitor whose device is unknown. */
export function BeginInApp({ app = 'main' }: { app?: AppId }) {
  return (
    <section className={css.card} aria-labelledby="begin-in-app">
      <h2 id="begin-in-app" className={css.title}>
        {t('begin.title')}
      </h2>
      <BeginPicture app={app} />
    </section>
  );
}
