import css from './eyebrow.module.css';

/** A word or two above a heading that says where one is. */
export function Eyebrow({ children }: { children: string }) {
  return <p className={css.eyebrow}>{children}</p>;
}
