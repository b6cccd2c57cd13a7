import { nameOfApp, useApp, usualSteps } from '../features/run/run-address.ts';
import { t } from '../features/device/words.ts';
import { BeginPicture } from '../features/device/begin-picture.tsx';
import css from '../features/device/begin-picture.module.css';

/** Explains how to begin in the app, on a page with another heading, to a visitor whose device is unknown. */
export function BeginInApp() {
  const app = useApp();

  return (
    <section aria-labelledby="begin-in-app">
      <h2 id="begin-in-app" className={css.title}>
        {t('begin.title')}
      </h2>
      <BeginPicture app={app} name={nameOfApp(app, undefined)} of={usualSteps(app)} />
    </section>
  );
}
