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

/** A link within the site. It goes on knowing the visitor's device, wherever it stands. */
export function Link({ to, ...rest }: Within<LinkProps>) {
  return <RouterLink to={useAddress(to)} {...rest} />;
}

/** Leads on at once; what is known of the device goes along. */
export function Navigate({ to, ...rest }: Within<NavigateProps>) {
  return <RouterNavigate to={useAddress(to)} {...rest} />;
}

/** Goes to another page; what is known of the device at that moment goes along. */
export function useNavigate(): (to: string) => void {
  const navigate = useRouterNavigate();
  return useCallback((to) => void navigate(keepDevice(to)), [navigate]);
}

/** An address within the site, for moves past the router, with what the page's own address says of the device by now. */
export function keepDevice(to: string): string {
  return withDevice(to, typeof location === 'undefined' ? '' : location.search);
}

function useAddress(to: string): string {
  const [query] = useSearchParams();
  return withDevice(to, query.toString());
}
