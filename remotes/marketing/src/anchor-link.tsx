import { buttonClass } from '@app/design-system/button';
import { Icon } from '@app/design-system/icon';
import { Link } from '@app/platform';
import type { MouseEvent, ReactNode } from 'react';

interface AnchorLinkProps {
  /** The path of another page. Without it, the link stays on the present page. */
  page?: string;
  to: string;
  className: string;
  onClick?: (event: MouseEvent<HTMLAnchorElement>) => void;
  children: ReactNode;
}

export function AnchorLink({ page = '', to, className, onClick, children }: AnchorLinkProps) {
  return (
    <Link
      className={className}
      to={`${page}#${to}`}
      // The router does not scroll when the address already has this anchor. Otherwise it has to note the place first.
      onClick={(event) => {
        onClick?.(event);
        if (!event.defaultPrevented && event.currentTarget.href === location.href)
          document.getElementById(to)?.scrollIntoView();
      }}
    >
      {children}
    </Link>
  );
}

export function DownloadsLink({ children }: { children: string }) {
  return (
    <AnchorLink className={buttonClass()} to="downloads">
      <Icon name="download" />
      {children}
    </AnchorLink>
  );
}
