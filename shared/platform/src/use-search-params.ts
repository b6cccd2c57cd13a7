import { useSearchParams as useRouterSearchParams, type NavigateOptions } from 'react-router-dom';
import { useIsHydrated } from './use-is-hydrated.ts';

const NO_QUERY = new URLSearchParams();

/** Changes the query. It is told the one of the address, which is never empty by mistake. */
type SetQuery = (change: (query: URLSearchParams) => URLSearchParams, options?: NavigateOptions) => void;

/**
 * The query of the address, and what changes it. The query is empty until hydration, because a page is rendered once for
 * all queries; what was chosen before is told in that very moment.
 */
export function useSearchParams(): readonly [URLSearchParams, SetQuery] {
  const [query, setQuery] = useRouterSearchParams();
  return [useIsHydrated() ? query : NO_QUERY, setQuery];
}
