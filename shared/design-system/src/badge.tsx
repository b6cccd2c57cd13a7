import type { ReactNode } from 'react';
import css from './badge.module.css';
import { joinClasses } from './join-classes.ts';

/** `hot`: the most popular · `disc`: discontinued · `latest`: a neutral fact · `ok` and `warn`: a state. */
export type BadgeKind = 'hot' | 'free' | 'disc' | 'latest' | 'ok' | 'warn';

interface BadgeProps {
  kind?: BadgeKind;
  children: ReactNode;
}

/** One or two words about the thing beside it. The words have to be clear without the colour. */
export function Badge({ kind = 'latest', children }: BadgeProps) {
  return <span className={joinClasses(css.badge, css[kind])}>{children}</span>;
}
