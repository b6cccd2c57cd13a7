import { COMMUNITY_LINKS, PRODUCT } from '@app/contracts/brand';
import { PAGES } from '@app/contracts/pages';
import { useDebouncedResize } from '@app/design-system/use-debounced-resize';
import { VisuallyHidden } from '@app/design-system/visually-hidden';
import { Link, useLocation } from '@app/platform';
import { useEffect, useRef, type ReactNode } from 'react';
import { LanguageLinks } from '../../app/language-links.tsx';
import { COLLAPSE_DURATION_MS, isExpanded, useNavbarStore } from './navbar-store.ts';
import { OnlineCount } from './online-count.tsx';
import { PageLinks } from './page-links.tsx';
import { scrollThreshold, useIsScrolledBeyond } from './scroll-threshold.ts';
import { t } from '../../words.ts';
import css from './navbar.module.css';

/** From here on the bar shows the links itself. An open menu has to close, because the page below it takes no focus. */
const WIDE_WINDOW_QUERY = '(min-width: 68.75em)';

function closeOnWideWindow() {
  if (matchMedia(WIDE_WINDOW_QUERY).matches) useNavbarStore.getState().closed();
}

/**
 * Its menu unfolds without any script: the stylesheet shows it beside an open `details`.
 * @param before what the keyboard meets first
 */
export function Navbar({ before }: { before?: ReactNode }) {
  const { menu, shown, closed, settled } = useNavbarStore();
  const { pathname } = useLocation();
  const isScrolled = useIsScrolledBeyond(scrollThreshold(pathname));
  // Its text then comes to lie beneath the bar.
  const isMoved = useIsScrolledBeyond(0);
  const toggle = useRef<HTMLDetailsElement>(null);
  const expanded = isExpanded({ menu });
  const collapsing = menu === 'opening' || menu === 'closing';

  useEffect(closed, [pathname, closed]);
  // It may have been opened before the frame worked.
  useEffect(() => shown(toggle.current?.open === true), [shown]);
  useDebouncedResize(closeOnWideWindow);

  useEffect(() => {
    if (!collapsing) return;

    const timer = setTimeout(settled, COLLAPSE_DURATION_MS);
    return () => clearTimeout(timer);
  }, [menu, collapsing, settled]);

  useEffect(() => {
    if (!expanded) return;

    function onKeyDown({ key }: KeyboardEvent) {
      if (key !== 'Escape') return;

      closed();
      toggle.current?.querySelector('summary')?.focus();
    }
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [expanded, closed]);

  return (
    <>
      <header className={css.navbar} data-scrolled={isScrolled || menu !== 'closed'}>
        {before}
        <nav className={css.bar} aria-label={t('navbar.label')}>
          <Link className={css.brand} to={PAGES.home} onClick={closed}>
            <BrandMark />
            {PRODUCT.label}
          </Link>
          <OnlineCount />
          <details
            ref={toggle}
            className={css.toggle}
            open={expanded}
            onToggle={({ currentTarget }) => shown(currentTarget.open)}
          >
            <summary className={css.button} aria-label={t('navbar.menu')}>
              <span className={css.bars} aria-hidden="true" />
            </summary>
          </details>
          <div id="navbar-menu" className={css.menu} data-menu={collapsing ? 'collapsing' : menu}>
            {/* Firefox lets the focus stop at what scrolls, and what unfolds scrolls meanwhile. */}
            <div className={css.fold} inert={collapsing && !expanded} tabIndex={-1}>
              <PageLinks onFollow={closed} />
              <CommunityLinks />
              <div className={css.languages}>
                <LanguageLinks />
              </div>
            </div>
          </div>
        </nav>
      </header>
      <div className={css.veil} data-moved={isMoved} />
      {expanded && <div className={css.backdrop} onClick={closed} />}
    </>
  );
}

function BrandMark() {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true">
      <path fill="#ff6b7d" d="M12 1.5 22.2 22h-5.6L12 12.1 7.4 22H1.8Z" />
      <path fill="#5b9dff" d="m12 15.4 2.3 4.9H9.7Z" />
    </svg>
  );
}

/** Only the marks are visible: the pages of the site come first. Links to the community's pages on other sites. Each opens in a new tab. */
function CommunityLinks() {
  return (
    <ul className={css.community}>
      {COMMUNITY_LINKS.map(({ id, label, href }) => (
        <li key={id}>
          <a href={href} target="_blank" rel="noopener noreferrer">
            <span className={css.icon} data-place={id} aria-hidden="true" />
            <VisuallyHidden>{label}</VisuallyHidden>
          </a>
        </li>
      ))}
    </ul>
  );
}
