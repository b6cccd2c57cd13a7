import { LANGUAGE_NAME, LANGUAGES, ORIGINAL_LANGUAGE } from '@app/contracts/languages';
import { fragmentOf, Link, locale, useLocation } from '@app/platform';
import type { MouseEvent } from 'react';
import { t } from '../../words.ts';
import css from './site-footer.module.css';

export function LanguageSwitch() {
  const { pathname } = useLocation();
  const current = locale() in LANGUAGES ? locale() : ORIGINAL_LANGUAGE;

  return (
    <nav className={css.languages} aria-label={t('footer.language')}>
      {Object.entries(LANGUAGES).map(([language, name]) => (
        <Link
          key={language}
          className={css.link}
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
    </nav>
  );
}

/** Leads to this very page, with all that its address says and said: a choice, a refusal, the token of a mail. */
function keepCurrentUrl({ currentTarget: link }: MouseEvent<HTMLAnchorElement>): void {
  const address = new URL(location.href);
  address.searchParams.set(LANGUAGE_NAME, link.lang);
  address.hash = fragmentOf(location);
  link.href = address.href;
}
