import { StickyAction } from '@app/design-system/sticky-action';
import type { ReactNode } from 'react';
import css from './landing-page.module.css';

interface LandingPageProps {
  /** The first screen, from edge to edge, with the page's heading. */
  hero: ReactNode;
  /** What speaks for the app, right under the first screen. */
  numbers?: ReactNode;
  /** The one thing to do, in reach of a thumb. */
  action: ReactNode;
  children: ReactNode;
}

/** A page that shows an app: hero, then parts in a column. */
export function LandingPage({ hero, numbers, action, children }: LandingPageProps) {
  return (
    <main id="content">
      {hero}
      {numbers && <div className={css.numbers}>{numbers}</div>}
      <div className={css.column}>
        {children}
        <StickyAction>{action}</StickyAction>
      </div>
    </main>
  );
}
