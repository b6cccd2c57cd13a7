import { themeFor, titleOf } from '@app/contracts/document';
import { NOT_FOUND_HASH } from '@app/contracts/pages';
import { ConfirmHost } from '@app/design-system/confirm-host';
import { afterFirstPaint, showToast, useLocation } from '@app/platform';
import { useEffect, useLayoutEffect, useState, type ComponentType, type ReactNode } from 'react';
import { SiteFooter } from '../features/footer/site-footer.tsx';
import { Navbar } from '../features/navbar/navbar.tsx';
import { isKeyPage } from '../key-pages.ts';
import { useIsMenuOpen } from '../features/navbar/navbar-store.ts';
import { KeptPageNotice } from './kept-page-notice.tsx';
import { t } from '../words.ts';
import { focusPage } from './page-focus.tsx';
import css from './page-frame.module.css';

interface PageFrameProps {
  /** The title of a path, if its line in `routes.ts` has one. */
  labelOf: (pathname: string) => string | undefined;
  children: ReactNode;
}

/** It sets title and colours after each navigation; for the first page they are in the HTML from the server. */
export function PageFrame({ labelOf, children }: PageFrameProps) {
  const { pathname, search, hash } = useLocation();
  const isMenuOpen = useIsMenuOpen();
  const label = labelOf(pathname);

  useLayoutEffect(() => {
    const { theme, accent } = themeFor(pathname + search);
    document.title = titleOf(pathname + search, label);
    document.documentElement.dataset['theme'] = theme;
    document.documentElement.dataset['accent'] = accent;
  }, [pathname, search, label]);

  useEffect(() => {
    if (hash !== NOT_FOUND_HASH) return;

    history.replaceState(history.state, '', pathname + search);
    showToast(t('notFound'));
  }, [pathname, search, hash]);

  // The document's own notice and guard are for pages that do not start.
  useLayoutEffect(() => {
    document.documentElement.dataset['started'] = 'true';
    // The boot guard no longer needs it, and with it Firefox keeps no page in its back/forward cache.
    window.onbeforeunload = null;
    document.querySelector('.boot')?.remove();
  }, []);

  return (
    <>
      <Navbar before={<SkipLink isMenuOpen={isMenuOpen} />} />
      <div inert={isMenuOpen}>
        <div className={css.page} data-grows={isKeyPage(pathname) || pathname.startsWith('/qa')}>
          {children}
        </div>
        <SiteFooter />
      </div>
      <KeptPageNotice />
      <DeferredToasts />
      <ConfirmHost />
    </>
  );
}

/** Leads keyboard users past the navbar to the page. Visible while it has the focus. The address stays as it is. */
function SkipLink({ isMenuOpen }: { isMenuOpen: boolean }) {
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

/** Loads the code of the toasts after the first paint. When that fails, the site works without them. */
function DeferredToasts() {
  const [loaded, setLoaded] = useState<{ Toasts: ComponentType }>();

  useEffect(() => {
    afterFirstPaint()
      .then(() => import(/* webpackChunkName: "toasts" */ './toasts/toasts.tsx'))
      .then(setLoaded, () => undefined);
  }, []);

  return loaded && <loaded.Toasts />;
}
