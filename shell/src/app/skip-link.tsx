import { useIsMenuOpen } from '../features/navbar/navbar-store.ts';
import { t } from '../words.ts';
import { focusPage } from './focus-page.ts';
import css from './skip-link.module.css';

/** Leads keyboard users past the navbar to the page. Visible while it has the focus. The address stays as it is. */
export function SkipLink() {
  const isMenuOpen = useIsMenuOpen();

  return (
    <a
      className={css.skip}
      href="#content"
      inert={isMenuOpen}
      onClick={(event) => {
        event.preventDefault();
        focusPage();
      }}
    >
      {t('skip')}
    </a>
  );
}
