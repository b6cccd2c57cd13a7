import type { ReactNode } from 'react';
import css from './feature-grid.module.css';
import texts from './text.module.css';

export interface Feature {
  /** An anchor for links. */
  id?: string;
  title: string;
  text: ReactNode;
  art?: ReactNode;
}

export function FeatureGrid({ features }: { features: readonly Feature[] }) {
  return (
    <ul className={css.grid}>
      {features.map(({ id, title, text, art }) => (
        <li key={title} id={id} className={css.feature} data-art={art !== undefined}>
          <h3>{title}</h3>
          <p className={texts.quiet}>{text}</p>
          {art && <div className={css.art}>{art}</div>}
        </li>
      ))}
    </ul>
  );
}
