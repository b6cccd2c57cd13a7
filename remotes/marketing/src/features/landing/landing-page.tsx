import { StickyAction } from '@app/design-system/sticky-action';
import { useLayoutEffect, useRef, type ReactNode } from 'react';
import css from './landing-page.module.css';
import { layOutLater } from './lay-out-later.ts';

const isServer = typeof document === 'undefined';

interface LandingPageProps {
  /** The first screen, in full width, with the page's heading. */
  hero: ReactNode;
  /** Statistics below the first screen. */
  numbers?: ReactNode;
  /** The main action. On phones it sticks to the bottom edge. */
  action: ReactNode;
  children: ReactNode;
}

/**
 * The layout of a page about an app: hero, then sections in a column. Of the page that the server has sent, a phone lays
 * out the sections far below after the page works.
 */
export function LandingPage({ hero, numbers, action, children }: LandingPageProps) {
  const column = useRef<HTMLDivElement>(null);

  // Before the position of a page that the visitor comes back to is restored.
  useLayoutEffect(() => (column.current ? layOutLater(column.current) : undefined), []);

  return (
    <main id="content">
      {hero}
      {numbers && <div className={css.numbers}>{numbers}</div>}
      <div className={css.column} ref={column} data-sent={isServer || undefined} suppressHydrationWarning>
        {children}
        <StickyAction yieldsTo="#downloads, main form">{action}</StickyAction>
      </div>
    </main>
  );
}
