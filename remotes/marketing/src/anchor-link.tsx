import { Link } from '@app/platform';
import type { ReactNode } from 'react';

interface AnchorLinkProps {
  /** The id of a part of this page. */
  to: string;
  className: string;
  children: ReactNode;
}

/** Leads to a part of the same page. */
export function AnchorLink({ to, className, children }: AnchorLinkProps) {
  return (
    <Link
      className={className}
      to={`#${to}`}
      // The router leaves the page where it is when the address has the anchor already.
      onClick={() => document.getElementById(to)?.scrollIntoView()}
    >
      {children}
    </Link>
  );
}
