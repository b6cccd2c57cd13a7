import type { ReactNode } from 'react';
import css from './steps.module.css';
import texts from './text.module.css';

export function Steps({ steps }: { steps: readonly { title: string; text: ReactNode }[] }) {
  return (
    <ol className={css.steps}>
      {steps.map(({ title, text }, index) => (
        <li key={title} className={css.step}>
          <span className={css.number} aria-hidden="true">
            {index + 1}
          </span>
          <div className={css.instruction}>
            <h3>{title}</h3>
            <p className={texts.quiet}>{text}</p>
          </div>
        </li>
      ))}
    </ol>
  );
}
