import { type AppId, isSpecified } from '@app/contracts/key-system';
import type { AppFacts } from '@app/contracts/key-system-schemas';
import { lettersOf } from '@app/design-system/letters';
import { Page } from '@app/design-system/page';
import type { ComponentProps, ReactNode } from 'react';
import css from './layouts.module.css';
import { nameOfApp } from './run-address.ts';

interface AppPageProps extends Omit<ComponentProps<typeof Page>, 'eyebrow'> {
  app: AppId;
  /** What is known of a registered app, which gives the page its name and colour. */
  about: AppFacts | undefined;
}

/** A page of an app's run, under its name. Nothing moves when that of a registered app is known. */
export function AppPage({ app, about, ...page }: AppPageProps) {
  const name = nameOfApp(app, about);
  const content = <Page eyebrow={<span data-letters={lettersOf(name)}>{name}</span>} {...page} />;
  if (isSpecified(app)) return content;
  return (
    <div className={css.app} data-accent={about?.colour} data-quiet={page.quiet}>
      {content}
    </div>
  );
}

interface RunLayoutProps {
  beside: ReactNode;
  /** Whether it is not known yet how many steps there are; what is below them is hidden then, so that it does not move. */
  isUnplaced?: boolean;
  children: ReactNode;
}

/** Two columns: the steps, and further facts beside them. On a phone, one below the other. */
export function RunLayout({ beside, isUnplaced = false, children }: RunLayoutProps) {
  return (
    <div className={css.layout}>
      <div className={css.column}>{children}</div>
      <div className={css.beside} data-unplaced={isUnplaced}>
        {beside}
      </div>
    </div>
  );
}

interface SplitProps {
  /** What the text is about: a picture, or the run. In a wide window it stands beside the heading and the text. */
  beside: ReactNode;
  /** Below both on a phone, below the text in a wide window. */
  foot?: ReactNode;
  children: ReactNode;
}

/** All that a page with one action has below its heading. In a wide window the heading is in the column of the text. */
export function Split({ beside, foot, children }: SplitProps) {
  return (
    <>
      <div className={css.text}>{children}</div>
      <div className={css.picture}>{beside}</div>
      {foot && <div className={css.foot}>{foot}</div>}
    </>
  );
}
