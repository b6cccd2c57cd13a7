import { Link } from '@app/platform';
import type { ReactNode } from 'react';
import css from './part.module.css';
import { t } from './words.ts';

interface Term {
  term: string;
  text: string | readonly string[];
  /** What to do about it. */
  next?: string;
}

export interface PartProps {
  id: string;
  heading: string;
  texts?: readonly string[];
  links?: ReactNode;
  /** Calls and answers, in a column of their own when there is space. */
  code?: ReactNode;
  /** After the code. */
  terms?: readonly Term[];
  more?: ReactNode;
  children?: ReactNode;
}

export function Part({
  id,
  heading,
  texts = [],
  links,
  code,
  terms,
  more = terms && <TermList terms={terms} />,
  children,
}: PartProps) {
  return (
    <section id={id} className={css.part} aria-labelledby={`${id}-heading`}>
      <div className={css.prose}>
        <h2 id={`${id}-heading`} className={css.heading}>
          {heading}
        </h2>
        {texts.map((text) => (
          <Text key={text}>{text}</Text>
        ))}
        {links && <ul>{links}</ul>}
        {children}
      </div>
      {code && <div className={css.code}>{code}</div>}
      {more && <div className={css.terms}>{more}</div>}
    </section>
  );
}

export function Text({ children }: { children: ReactNode }) {
  return <p className={css.text}>{children}</p>;
}

export function PartLink({ to, href, children }: { to?: string; href?: string; children: string }) {
  return (
    <li>
      {to ? (
        <Link className={css.link} to={to}>
          {children}
        </Link>
      ) : (
        <a className={css.link} href={href} rel="noreferrer">
          {children}
        </a>
      )}
    </li>
  );
}

/** The name of a member, a code or a call, as programs write it. Labels in words are set as text. */
const WRITTEN_BY_PROGRAMS = /^[a-z_.]+$|^[A-Z_]+$|^[A-Z]+ \//;

/** Technical terms, each with its meaning and what to do about it. */
export function TermList({ terms }: { terms: readonly Term[] }) {
  return (
    <dl className={css.list}>
      {terms.map(({ term, text, next }) => (
        <div key={term} className={css.entry}>
          <dt>{WRITTEN_BY_PROGRAMS.test(term) ? <code className={css.term}>{term}</code> : <b>{term}</b>}</dt>
          {[text].flat().map((one) => (
            <dd key={one} className={css.text}>
              {one}
            </dd>
          ))}
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
