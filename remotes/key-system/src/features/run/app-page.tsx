import { type AppId, isSpecified } from '@app/contracts/key-system';
import type { AppFacts } from '@app/contracts/key-system-schemas';
import { lettersOf } from '@app/design-system/letters';
import { Page } from '@app/design-system/page';
import type { ComponentProps } from 'react';
import css from './app-page.module.css';
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
