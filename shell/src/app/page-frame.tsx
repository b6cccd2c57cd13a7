import { themeFor, titleOf } from '@app/contracts/document';
import { ConfirmHost } from '@app/design-system/confirm-host';
import { useLocation } from '@app/platform';
import { useLayoutEffect, type ReactNode } from 'react';
import { SiteFooter } from '../features/footer/site-footer.tsx';
import { Navbar } from '../features/navbar/navbar.tsx';
import { useIsMenuOpen } from '../features/navbar/navbar-store.ts';
import { KeptPageNotice } from './kept-page-notice.tsx';
import css from './page-frame.module.css';
import { SkipLink } from './skip-link.tsx';
import { DeferredToasts } from './toasts/deferred-toasts.tsx';

interface PageFrameProps {
  /** The title of a path, if its line in `routes.ts` has one. */
  labelOf: (pathname: string) => string | undefined;
  children: ReactNode;
}

/**
 * Shows the navbar, the page below it, the footer, the toasts and the confirm dialog. It sets the document's title and
 * colours after each navigation; for the first page they are in the HTML from the server.
 */
export function PageFrame({ labelOf, children }: PageFrameProps) {
  const { pathname, search } = useLocation();
  const isMenuOpen = useIsMenuOpen();
  const label = labelOf(pathname);

  useLayoutEffect(() => {
    const { theme, accent } = themeFor(pathname + search);
    document.title = titleOf(pathname + search, label);
    document.documentElement.dataset['theme'] = theme;
    document.documentElement.dataset['accent'] = accent;
  }, [pathname, search, label]);

  // The document's own notice and guard are for pages that do not start.
  useLayoutEffect(() => {
    document.documentElement.dataset['started'] = 'true';
    // The boot guard no longer needs it, and with it Firefox keeps no page in its back/forward cache.
    window.onbeforeunload = null;
    document.querySelector('.boot')?.remove();
  }, []);

  return (
    <>
      <SkipLink />
      <Navbar />
      <div inert={isMenuOpen}>
        <div className={css.page}>{children}</div>
        <SiteFooter />
      </div>
      <KeptPageNotice />
      <DeferredToasts />
      <ConfirmHost />
    </>
  );
}
