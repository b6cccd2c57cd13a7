import type { ReactNode } from 'react';
import css from './captcha.module.css';

/** A text in place of the captcha, when it is loading or not needed. It has the same height. */
export function CaptchaRow({ children }: { children: ReactNode }) {
  return <p className={css.row}>{children}</p>;
}
