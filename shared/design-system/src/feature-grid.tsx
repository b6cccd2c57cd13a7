import type { ReactNode } from 'react';
import css from './feature-grid.module.css';
import { Icon, type IconName } from './icon.tsx';

export interface Feature {
  title: string;
  text: ReactNode;
  icon?: IconName;
  /** A drawing beside the text. The box takes two columns when there is space. */
  art?: ReactNode;
}

/** A grid with a box for each feature. */
export function FeatureGrid({ features }: { features: readonly Feature[] }) {
  return (
    <ul className={css.grid}>
      {features.map(({ title, text, icon, art }) => (
        <li key={title} className={css.feature} data-wide={art !== undefined}>
          {icon && (
            <span className={css.icon}>
              <Icon name={icon} size={22} />
            </span>
          )}
          <h3>{title}</h3>
          <p className={css.text}>{text}</p>
          {art && <div className={css.art}>{art}</div>}
        </li>
      ))}
    </ul>
  );
}
