import { withDevice } from './with-device.ts';
import { useCallback } from 'react';
import {
  Link as RouterLink,
  Navigate as RouterNavigate,
  useNavigate as useRouterNavigate,
  type LinkProps,
  type NavigateProps,
} from 'react-router-dom';
import { useSearchParams } from './use-search-params.ts';

type Within<Props> = Omit<Props, 'to'> & { to: string };

/** A link within the site. It carries the device of the page's address along. */
export function Link({ to, ...rest }: Within<LinkProps>) {
  return <RouterLink to={useAddress(to)} {...rest} />;
}

/** Redirects at once within the site, and carries the device along. */
export function Navigate({ to, ...rest }: Within<NavigateProps>) {
  return <RouterNavigate to={useAddress(to)} {...rest} />;
}

/** Returns a function that goes to another page and carries the device along. */
export function useNavigate(): (to: string) => void {
  const navigate = useRouterNavigate();
  return useCallback((to) => void navigate(keepDevice(to)), [navigate]);
}

/** Adds the device of the page's address to another address of the site, for redirects that do not use the router. */
export function keepDevice(to: string): string {
  return withDevice(to, typeof location === 'undefined' ? '' : location.search);
}

function useAddress(to: string): string {
  const [query] = useSearchParams();
  return withDevice(to, query.toString());
}
