import type { ButtonHTMLAttributes, ReactNode } from 'react';
import css from './button.module.css';
import { joinClasses } from './join-classes.ts';

type Kind = 'primary' | 'quiet';

interface ButtonStyle {
  kind?: Kind;
  /** Takes the full width, for the one action on a phone. */
  wide?: boolean;
}

/** The class names of a button, for links that look like one. */
export function buttonClass({ kind = 'primary', wide = false }: ButtonStyle = {}): string {
  return joinClasses(css.button, css[kind], wide && css.wide);
}

export function Button({
  kind,
  wide,
  ...rest
}: ButtonStyle & Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className'>) {
  return <button type="button" className={buttonClass({ ...(kind && { kind }), ...(wide && { wide }) })} {...rest} />;
}

/** Actions side by side; they wrap when there is no room. */
export function ButtonRow({ children }: { children: ReactNode }) {
  return <div className={css.row}>{children}</div>;
}
