import { ERRORS, parseErrorCode, type ErrorCode } from '@app/contracts/errors';
import { copyText } from '@app/design-system/copy-text';
import { useIsHydrated, useLocation } from '@app/platform';
import { useLayoutEffect, useRef, useState } from 'react';
import { t } from './words.ts';
import { Docs } from './docs.tsx';
import { ErrorFilter } from './error-filter.tsx';
import css from './error-list.module.css';
import { adviceOn, audiencesOf, findErrors, GROUPS, titleOf, type Audience, type Search } from './errors.ts';

const PLAYER_ERRORS: Search = { text: '', audience: 'player' };
const ALL_ERRORS: Search = { text: '', audience: undefined };

/** How long it is shown that a code was copied. */
const COPIED_DURATION_MS = 3000;

/** Explains every error code. The `type` of an error answer links to the code's section. */
export function ErrorList() {
  const { hash } = useLocation();
  const asked = useIsHydrated() ? parseErrorCode(hash.slice(1)) : undefined;
  const [filter, setFilter] = useState({ search: PLAYER_ERRORS, asked });
  // A link to an error shows it, whatever was looked for before.
  const isKept = !asked || filter.asked === asked || findErrors(filter.search).includes(asked);
  const search = isKept ? filter.search : ALL_ERRORS;
  const [copied, setCopied] = useState<ErrorCode>();
  const page = useRef<HTMLDivElement>(null);

  // What is found begins at the top, wherever the visitor was in the list before.
  useLayoutEffect(() => {
    if (search !== PLAYER_ERRORS && search !== ALL_ERRORS && (page.current?.getBoundingClientRect().top ?? 0) < 0)
      page.current?.scrollIntoView({ behavior: 'instant' });
  }, [search]);

  // The browser could not scroll to an error that was not shown.
  useLayoutEffect(() => {
    if (asked && !isKept) document.getElementById(asked)?.scrollIntoView({ behavior: 'instant' });
  }, [asked, isKept]);

  const found = new Set(findErrors(search));

  return (
    <Docs
      ref={page}
      aside={<ErrorFilter search={search} copied={copied} onSearch={(next) => setFilter({ search: next, asked })} />}
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
              searched={search.audience}
              isCopied={code === copied}
              onCopied={() => {
                setCopied(code);
                setTimeout(() => setCopied((last) => (last === code ? undefined : last)), COPIED_DURATION_MS);
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
  /** Those whom the list is for. Only others are named, and players read the sentences that are for them alone. */
  searched: Audience | undefined;
  isCopied: boolean;
  onCopied: () => void;
}

function ErrorEntry({ code, isAsked, isFound, searched, ...copy }: ErrorEntryProps) {
  const others = audiencesOf(code).filter((audience) => audience !== searched);

  return (
    <section id={code} className={css.error} data-asked={isAsked} hidden={!isFound} aria-labelledby={`${code}-heading`}>
      <div className={css.prose}>
        <h3 id={`${code}-heading`} className={css.title}>
          <a className={css.link} href={`#${code}`}>
            {titleOf(code)}
          </a>
        </h3>
        <p className={css.text}>{adviceOn(code, searched)}</p>
      </div>
      <div className={css.facts}>
        <CopyableCode code={code} {...copy} />
        {searched !== 'player' && (
          <p className={css.meta}>
            {[t('errors.status', { status: ERRORS[code].status }), ...others.map((one) => t(`errors.by.${one}`))].join(
              ' · ',
            )}
          </p>
        )}
      </div>
    </section>
  );
}

/** The code of an error. A click copies it; where that fails, it is selected. */
function CopyableCode({ code, isCopied, onCopied }: Pick<ErrorEntryProps, 'code' | 'isCopied' | 'onCopied'>) {
  const text = useRef<HTMLElement>(null);

  async function copy() {
    if (await copyText(code)) onCopied();
    else if (text.current) getSelection()?.selectAllChildren(text.current);
  }

  return (
    <button type="button" className={css.copy} aria-label={t('errors.copy', { code })} onClick={() => void copy()}>
      <code ref={text} className={css.code}>
        {code}
      </code>
      <svg className={css.sign} viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
        <path d={isCopied ? 'm3 8.5 3 3 7-7' : 'M6 6h7v7H6zM10 3H3v7'} />
      </svg>
    </button>
  );
}
