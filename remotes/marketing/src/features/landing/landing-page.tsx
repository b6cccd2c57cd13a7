import { StickyAction } from '@app/design-system/sticky-action';
import type { ReactNode } from 'react';
import css from './landing-page.module.css';

interface LandingPageProps {
  app: 'v5' | 'neo' | 'v3';
  hero: ReactNode;
  numbers?: ReactNode;
  /** The main action. On phones it sticks to the bottom edge. */
  action: ReactNode;
  children: ReactNode;
}

/** The layout of a page about an app: hero, then sections in a column. */
export function LandingPage({ app, hero, numbers, action, children }: LandingPageProps) {
  return (
    <main id="content" className={css.page} data-app={app}>
      {hero}
      {numbers && <div className={css.numbers}>{numbers}</div>}
      <div className={css.column}>
        {children}
        <StickyAction yieldsTo="#downloads, main form">{action}</StickyAction>
      </div>
    </main>
  );
}

/** The last section of a landing page. The page's sticky action follows it. */
export function FinalCall({ heading, text }: { heading: string; text: string }) {
  return (
    <section className={css.call} aria-labelledby="final-heading">
      <h2 id="final-heading">{heading}</h2>
      <p className={css.text}>{text}</p>
    </section>
  );
}
