import { ERRORS, parseErrorCode, type ErrorCode } from '@app/contracts/errors';
import { useIsHydrated, useLocation } from '@app/platform';
import { useLayoutEffect, useRef, useState } from 'react';
import { t } from './words.ts';
import { Docs } from './docs.tsx';
import { MET_BY } from './error-audience.ts';
import { ErrorCodeChip } from './error-code.tsx';
import { ErrorFilter } from './error-filter.tsx';
import { GROUPS } from './error-groups.ts';
import css from './error-list.module.css';
import { findErrors, type Search } from './error-search.ts';
import { titleOf } from './error-title.ts';

const PLAYERS: Search = { text: '', audience: 'player' };
const EVERYTHING: Search = { text: '', audience: undefined };

/** How long it is shown that a code was copied. */
const COPIED_MS = 3000;

/** Explains every error code. The `type` of an error answer links to the code's section. */
export function ErrorList() {
  const { hash } = useLocation();
  const asked = useIsHydrated() ? parseErrorCode(hash.slice(1)) : undefined;
  const [filter, setFilter] = useState({ search: PLAYERS, asked });
  // A link to an error shows it, whatever was looked for before.
  const isKept = !asked || filter.asked === asked || findErrors(filter.search, adviceOn).includes(asked);
  const search = isKept ? filter.search : EVERYTHING;
  const [copied, setCopied] = useState<ErrorCode>();
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
          copied={copied}
          counts={(audience) => findErrors({ ...search, audience }, adviceOn).length}
          onSearch={(next) => setFilter({ search: next, asked })}
        />
      }
    >
      {GROUPS.map(({ id, codes }) => (
        <section key={id} className={css.group} hidden={!codes.some((code) => found.has(code))}>
          <h2 className={css.heading}>{t(`errors.group.${id}`)}</h2>
          {codes.map((code) => (
            <ErrorEntry
              key={code}
              code={code}
              isAsked={code === asked}
              isFound={found.has(code)}
              isCopied={code === copied}
              onCopied={() => {
                setCopied(code);
                setTimeout(() => setCopied((last) => (last === code ? undefined : last)), COPIED_MS);
              }}
            />
          ))}
        </section>
      ))}
    </Docs>
  );
}

interface ErrorEntryProps {
  code: ErrorCode;
  isAsked: boolean;
  isFound: boolean;
  isCopied: boolean;
  onCopied: () => void;
}

function ErrorEntry({ code, isAsked, isFound, ...copy }: ErrorEntryProps) {
  return (
    <section id={code} className={css.error} data-asked={isAsked} hidden={!isFound} aria-labelledby={`${code}-heading`}>
      <div className={css.words}>
        <h3 id={`${code}-heading`} className={css.title}>
          <a className={css.link} href={`#${code}`}>
            {titleOf(code)}
          </a>
        </h3>
        <p className={css.text}>{adviceOn(code)}</p>
      </div>
      <div className={css.facts}>
        <ErrorCodeChip code={code} {...copy} />
        <p className={css.who}>
          <span>{t('errors.status', { status: ERRORS[code].status })}</span>
          {MET_BY[code].map((audience) => (
            <span key={audience}>{t(`errors.by.${audience}`)}</span>
          ))}
        </p>
      </div>
    </section>
  );
}

function adviceOn(code: ErrorCode): string {
  return t(`errors.${code}`);
}
