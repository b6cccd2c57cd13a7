import type { AppId } from '@app/contracts/key-system';
import { useLocation, useSearchParams } from '@app/platform';
import { appOf } from './run-address.ts';

/** The app whose page this is. */
export function useApp(): AppId {
  const { pathname } = useLocation();
  const [query] = useSearchParams();
  return appOf(pathname, query);
}
