import type { ReactNode } from 'react';
import css from './badge.module.css';
import { joinClasses } from './join-classes.ts';

/** hot: what most people take · disc: no longer made · latest: a neutral fact · ok and warn: a state. */
export type BadgeKind = 'hot' | 'free' | 'disc' | 'latest' | 'ok' | 'warn';

interface BadgeProps {
  kind?: BadgeKind;
  children: ReactNode;
}

/** A word or two about the thing beside it. The words alone carry the meaning, never the colour. */
export function Badge({ kind = 'latest', children }: BadgeProps) {
  return <span className={joinClasses(css.badge, css[kind])}>{children}</span>;
}
