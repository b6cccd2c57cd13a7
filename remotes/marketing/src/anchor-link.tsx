import { Link } from '@app/platform';
import type { ReactNode } from 'react';

interface AnchorLinkProps {
  /** The page, where it may be another one. */
  page?: string;
  /** The id of a part of the page. */
  to: string;
  className: string;
  children: ReactNode;
}

/** Leads to a part of a page, of this one if none is named. */
export function AnchorLink({ page = '', to, className, children }: AnchorLinkProps) {
  return (
    <Link
      className={className}
      to={`${page}#${to}`}
      // The router leaves the page where it is when the address has the anchor already.
      onClick={() => document.getElementById(to)?.scrollIntoView()}
    >
      {children}
    </Link>
  );
}
