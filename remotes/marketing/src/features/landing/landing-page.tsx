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
  footer: ReactNode;
  children: ReactNode;
}

/** A page that shows an app: hero, then parts in a column, then where else to go. */
export function LandingPage({ hero, numbers, action, footer, children }: LandingPageProps) {
  return (
    <>
      <main id="content">
        {hero}
        {numbers && <div className={css.numbers}>{numbers}</div>}
        <div className={css.column}>
          {children}
          <StickyAction>{action}</StickyAction>
        </div>
      </main>
      {footer}
    </>
  );
}
