import { LANGUAGE_NAME, LANGUAGES, ORIGINAL_LANGUAGE } from '@app/contracts/languages';
import { locale } from '@app/platform';
import type { MouseEvent } from 'react';
import { t } from '../../words.ts';
import css from './site-footer.module.css';

/** Offers this page in the other languages. The server keeps the choice, and no choice loses the device in the address. */
export function LanguageSwitch() {
  const current = locale() in LANGUAGES ? locale() : ORIGINAL_LANGUAGE;

  return (
    <nav className={css.languages} aria-label={t('footer.language')}>
      {Object.entries(LANGUAGES).map(([language, name]) => (
        <a
          key={language}
          className={css.link}
          href={`?${LANGUAGE_NAME}=${language}`}
          lang={language}
          hrefLang={language}
          {...(language === current && { 'aria-current': 'true' })}
          onClick={keepQuery}
        >
          {name}
        </a>
      ))}
    </nav>
  );
}

/** The link itself names no device, because the document with it is for all visitors. */
function keepQuery(event: MouseEvent<HTMLAnchorElement>): void {
  const address = new URL(location.href);
  address.searchParams.set(LANGUAGE_NAME, event.currentTarget.lang);
  event.currentTarget.href = address.href;
}
