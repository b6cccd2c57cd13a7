import { looksOf, titleOf } from '@app/contracts/document';
import { AskHost } from '@app/design-system/ask-host';
import { useLocation } from '@app/platform';
import { useLayoutEffect, type ReactNode } from 'react';
import { Navbar } from '../features/navbar/navbar.tsx';
import { useIsMenuOpen } from '../features/navbar/use-is-menu-open.ts';
import { DeferredToasts } from './toasts/deferred-toasts.tsx';

interface PageFrameProps {
  /** The title that a path's own line names, if it does. */
  labelOf: (pathname: string) => string | undefined;
  children: ReactNode;
}

/** Navbar over page. Title and colours keep in step with the address; on the first page the server has set them already. */
export function PageFrame({ labelOf, children }: PageFrameProps) {
  const { pathname, search } = useLocation();
  const isMenuOpen = useIsMenuOpen();
  const label = labelOf(pathname);

  useLayoutEffect(() => {
    const { theme, accent } = looksOf(pathname + search);
    document.title = titleOf(pathname + search, label);
    document.documentElement.dataset['theme'] = theme;
    document.documentElement.dataset['accent'] = accent;
  }, [pathname, search, label]);

  return (
    <>
      <Navbar />
      <div inert={isMenuOpen}>{children}</div>
      <DeferredToasts />
      <AskHost />
    </>
  );
}
