import { LANGUAGE_NAME, LANGUAGES, ORIGINAL_LANGUAGE } from '@app/contracts/languages';
import { fragmentOf, Link, locale, useLocation } from '@app/platform';
import type { MouseEvent } from 'react';
import css from './language-links.module.css';

/** Each language by its own name. */
export function LanguageLinks() {
  const { pathname } = useLocation();
  const current = locale() in LANGUAGES ? locale() : ORIGINAL_LANGUAGE;

  return (
    <>
      {Object.entries(LANGUAGES).map(([language, name]) => (
        <Link
          key={language}
          className={css.language}
          to={`${pathname}?${LANGUAGE_NAME}=${language}`}
          // A document has one language, so this is no way of the router.
          target="_top"
          lang={language}
          hrefLang={language}
          onClick={keepCurrentUrl}
          {...(language === current && { 'aria-current': 'true' })}
        >
          {name}
        </Link>
      ))}
    </>
  );
}

/** Leads to this very page, with all that its address says and said: a choice, a refusal, the token of a mail. */
function keepCurrentUrl({ currentTarget: link }: MouseEvent<HTMLAnchorElement>): void {
  const address = new URL(location.href);
  address.searchParams.set(LANGUAGE_NAME, link.lang);
  address.hash = fragmentOf(location);
  link.href = address.href;
}
