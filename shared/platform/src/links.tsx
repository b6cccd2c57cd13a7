import { useCallback, type ComponentProps } from 'react';
import {
  Navigate as RouterNavigate,
  useHref,
  useLinkClickHandler,
  useLocation,
  useNavigate as useRouterNavigate,
  type NavigateProps,
} from 'react-router-dom';
import { withDevice } from './addresses.ts';
import { useOnceHydrated } from './visitor.ts';

// The bundle contains only these parts of the router, and all units share one router context.
export { BrowserRouter as Router, useLocation, useNavigationType } from 'react-router-dom';

type Within<Props> = Omit<Props, 'to'> & { to: string };

/**
 * A link within the site. It carries the device of the page's address along. The router's own `Link` can do more, such
 * as prefetch by manifests, and is 3 KB larger.
 */
export function Link({ to, onClick, target, ...rest }: Within<Omit<ComponentProps<'a'>, 'href'>>) {
  const address = useAddress(to);
  // The address as it is in the page comes one render later; a click in between has to take the device along, too.
  const { search } = useLocation();
  const follow = useLinkClickHandler(withDevice(to, search), target === undefined ? {} : { target });
  return (
    <a
      {...rest}
      href={useHref(address)}
      target={target}
      onClick={(event) => {
        onClick?.(event);
        if (!event.defaultPrevented) follow(event);
      }}
    />
  );
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
  const { search } = useLocation();
  return useOnceHydrated(
    () => withDevice(to, search),
    () => to,
  );
}
