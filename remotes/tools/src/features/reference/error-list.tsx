import { ERROR_CODES, ERRORS, type ErrorCode } from '@app/contracts/errors';
import { useIsHydrated, useLocation } from '@app/platform';
import { useLayoutEffect, useRef, useState } from 'react';
import { t } from './words.ts';
import { Docs } from './docs.tsx';
import { MET_BY } from './error-audience.ts';
import { ErrorFilter } from './error-filter.tsx';
import css from './error-list.module.css';
import { findErrors, type Search } from './error-search.ts';

const EVERYTHING: Search = { text: '', audience: undefined };

/** Explains every error code. The `type` of an error answer links to the code's section. */
export function ErrorList() {
  const { hash } = useLocation();
  const asked = useIsHydrated() ? hash.slice(1) : '';
  const [filter, setFilter] = useState({ search: EVERYTHING, asked });
  // A link to an error shows it, whatever was looked for before.
  const search = filter.asked === asked ? filter.search : EVERYTHING;
  const page = useRef<HTMLDivElement>(null);

  // What is found begins at the top, wherever the visitor was in the list before.
  useLayoutEffect(() => {
    if (search !== EVERYTHING && (page.current?.getBoundingClientRect().top ?? 0) < 0)
      page.current?.scrollIntoView({ behavior: 'instant' });
  }, [search]);

  const found = new Set(findErrors(search, adviceOn));

  return (
    <Docs
      ref={page}
      aside={
        <ErrorFilter
          search={search}
          counts={(audience) => findErrors({ ...search, audience }, adviceOn).length}
          onSearch={(next) => setFilter({ search: next, asked })}
        />
      }
    >
      {ERROR_CODES.map((code) => (
        <section
          key={code}
          id={code}
          className={css.error}
          data-asked={code === asked}
          hidden={!found.has(code)}
          aria-labelledby={`${code}-heading`}
        >
          <div className={css.head}>
            <h2 id={`${code}-heading`} className={css.code}>
              <a className={css.link} href={`#${code}`}>
                <code>{code}</code>
              </a>
            </h2>
            <p className={css.facts}>
              <span>{t('errors.status', { status: ERRORS[code].status })}</span>
              {MET_BY[code].map((audience) => (
                <span key={audience}>{t(`errors.by.${audience}`)}</span>
              ))}
            </p>
          </div>
          <div className={css.words}>
            <p className={css.title} lang="en">
              {ERRORS[code].title}
            </p>
            <p className={css.text}>{adviceOn(code)}</p>
          </div>
        </section>
      ))}
    </Docs>
  );
}

function adviceOn(code: ErrorCode): string {
  return t(`errors.${code}`);
}
