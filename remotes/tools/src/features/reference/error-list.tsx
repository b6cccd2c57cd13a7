import { ERRORS, parseErrorCode, type ErrorCode } from '@app/contracts/errors';
import { useIsHydrated, useLocation } from '@app/platform';
import { useLayoutEffect, useRef, useState } from 'react';
import { t } from './words.ts';
import { Docs } from './docs.tsx';
import { MET_BY } from './error-audience.ts';
import { ErrorFilter } from './error-filter.tsx';
import { GROUPS } from './error-groups.ts';
import css from './error-list.module.css';
import { findErrors, type Search } from './error-search.ts';

const PLAYERS: Search = { text: '', audience: 'player' };
const EVERYTHING: Search = { text: '', audience: undefined };

/** Explains every error code. The `type` of an error answer links to the code's section. */
export function ErrorList() {
  const { hash } = useLocation();
  const asked = useIsHydrated() ? parseErrorCode(hash.slice(1)) : undefined;
  const [filter, setFilter] = useState({ search: PLAYERS, asked });
  // A link to an error shows it, whatever was looked for before.
  const isKept = !asked || filter.asked === asked || findErrors(filter.search, adviceOn).includes(asked);
  const search = isKept ? filter.search : EVERYTHING;
  const page = useRef<HTMLDivElement>(null);

  // What is found begins at the top, wherever the visitor was in the list before.
  useLayoutEffect(() => {
    if (search !== PLAYERS && search !== EVERYTHING && (page.current?.getBoundingClientRect().top ?? 0) < 0)
      page.current?.scrollIntoView({ behavior: 'instant' });
  }, [search]);

  // The browser could not scroll to an error that was not shown.
  useLayoutEffect(() => {
    if (asked && !isKept) document.getElementById(asked)?.scrollIntoView({ behavior: 'instant' });
  }, [asked, isKept]);

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
      {GROUPS.map(({ id, codes }) => (
        <section key={id} className={css.group} hidden={!codes.some((code) => found.has(code))}>
          <h2 className={css.heading}>{t(`errors.group.${id}`)}</h2>
          {codes.map((code) => (
            <ErrorEntry key={code} code={code} isAsked={code === asked} isFound={found.has(code)} />
          ))}
        </section>
      ))}
    </Docs>
  );
}

function ErrorEntry({ code, isAsked, isFound }: { code: ErrorCode; isAsked: boolean; isFound: boolean }) {
  return (
    <section id={code} className={css.error} data-asked={isAsked} hidden={!isFound} aria-labelledby={`${code}-heading`}>
      <div className={css.head}>
        <h3 id={`${code}-heading`} className={css.code}>
          <a className={css.link} href={`#${code}`}>
            <code>{code}</code>
          </a>
        </h3>
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
  );
}

function adviceOn(code: ErrorCode): string {
  return t(`errors.${code}`);
}
