import { useSearchParams as useRouterSearchParams } from 'react-router-dom';
import { useIsHydrated } from './use-is-hydrated.ts';

const NO_QUERY = new URLSearchParams();

/** The query of the address. It is empty until hydration, because a page is rendered once for all queries. */
export function useSearchParams(): ReturnType<typeof useRouterSearchParams> {
  const [query, setQuery] = useRouterSearchParams();
  return [useIsHydrated() ? query : NO_QUERY, setQuery];
}
