import { Link, useSearchParams } from '@app/platform';
import type { ReactNode } from 'react';

interface AnchorLinkProps {
  /** The id of a part of this page. */
  to: string;
  className: string;
  children: ReactNode;
}

/** Leads to a part of the same page; the query stays, since it says whose device this is. */
export function AnchorLink({ to, className, children }: AnchorLinkProps) {
  const [query] = useSearchParams();

  return (
    <Link
      className={className}
      to={{ search: query.size > 0 ? `?${query.toString()}` : '', hash: `#${to}` }}
      // The router leaves the page where it is when the address has the anchor already.
      onClick={() => document.getElementById(to)?.scrollIntoView()}
    >
      {children}
    </Link>
  );
}
