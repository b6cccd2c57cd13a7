import type { ReactNode } from 'react';
import css from './run-layout.module.css';

interface RunLayoutProps {
  steps: ReactNode;
  beside?: ReactNode;
  /** Whether it is not known yet how many steps there are; what is below them is hidden then, so that it does not move. */
  isUnplaced?: boolean;
}

/** Two columns: the steps, and further facts beside them, if any. On a phone, one below the other. */
export function RunLayout({ steps, beside, isUnplaced = false }: RunLayoutProps) {
  return (
    <div className={css.layout} data-alone={!beside}>
      <div className={css.column}>{steps}</div>
      {beside && (
        <div className={css.beside} data-unplaced={isUnplaced}>
          {beside}
        </div>
      )}
    </div>
  );
}
