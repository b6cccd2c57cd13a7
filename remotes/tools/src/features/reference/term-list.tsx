import { t } from './words.ts';
import css from './term-list.module.css';

interface Term {
  /** The term as a program writes it. */
  term: string;
  text: string;
  /** What to do about it. */
  next?: string;
}

/** A list of technical terms, each with its meaning and what to do about it. */
export function TermList({ terms }: { terms: readonly Term[] }) {
  return (
    <dl className={css.list}>
      {terms.map(({ term, text, next }) => (
        <div key={term + text} className={css.entry}>
          <dt>
            <code className={css.term}>{term}</code>
          </dt>
          <dd className={css.text}>{text}</dd>
          {next !== undefined && (
            <dd className={css.next}>
              <b>{t('dev.do')}:</b> {next}
            </dd>
          )}
        </div>
      ))}
    </dl>
  );
}
