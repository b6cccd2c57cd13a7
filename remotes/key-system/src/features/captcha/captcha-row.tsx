import type { ReactNode } from 'react';
import css from './captcha.module.css';

/** Stands where the captcha is, while it is not there or not needed; as high as it is. */
export function CaptchaRow({ children }: { children: ReactNode }) {
  return <p className={css.row}>{children}</p>;
}
