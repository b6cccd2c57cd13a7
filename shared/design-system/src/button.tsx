import type { ButtonHTMLAttributes, MouseEvent, ReactNode } from 'react';
import css from './button.module.css';
import { joinClasses } from './join-classes.ts';

type ButtonKind = 'primary' | 'quiet';

interface ButtonStyle {
  kind?: ButtonKind;
  wide?: boolean;
}

/** The class names of a button, for links that look like one. */
export function buttonClass({ kind = 'primary', wide = false }: ButtonStyle = {}): string {
  return joinClasses(css.button, css[kind], wide && css.wide);
}

/**
 * A button of type `button`. It takes all attributes of the element except `className`. While it is disabled it takes no
 * click and sends no form, but keeps the focus: the browser takes that from a button with the attribute `disabled`.
 */
export function Button({
  kind,
  wide,
  disabled,
  onClick,
  ...rest
}: ButtonStyle & Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className'>) {
  return (
    <button
      type="button"
      className={buttonClass({ ...(kind && { kind }), ...(wide && { wide }) })}
      {...rest}
      aria-disabled={disabled}
      onClick={disabled ? preventClick : onClick}
    />
  );
}

/** Enter in a field of a form clicks its button, too. */
function preventClick(event: MouseEvent): void {
  event.preventDefault();
}

export function ButtonRow({ children }: { children: ReactNode }) {
  return <div className={css.row}>{children}</div>;
}
