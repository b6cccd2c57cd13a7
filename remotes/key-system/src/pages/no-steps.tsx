import { lazyPage, ShowLazyPage } from '@app/platform';
import { Suspense } from 'react';
import css from '../features/run/layouts.module.css';
import { NoStepsContext, type NoStepsState } from './no-steps-state.ts';

/** It is code of its own, which a visitor with steps never needs. */
export const noStepsPage = lazyPage(
  async () => (await import(/* webpackChunkName: "no-steps-page" */ './no-steps-page.tsx')).NoStepsPage,
);

/** Stands in place of any page of a run, for a device with no steps to do. */
export function NoSteps(state: NoStepsState) {
  return (
    <NoStepsContext value={state}>
      <Suspense
        fallback={
          <main id="content" className={css.place}>
            <div className={css.placed} />
          </main>
        }
      >
        <ShowLazyPage page={noStepsPage} />
      </Suspense>
    </NoStepsContext>
  );
}
