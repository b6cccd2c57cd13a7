import { useSearchParams as useRouterSearchParams } from 'react-router-dom';
import { useIsHydrated } from './use-is-hydrated.ts';

const NO_QUERY = new URLSearchParams();

/** The query of the address, empty until hydration: a page is rendered ahead of time for every query alike. */
export function useSearchParams(): ReturnType<typeof useRouterSearchParams> {
  const [query, setQuery] = useRouterSearchParams();
  return [useIsHydrated() ? query : NO_QUERY, setQuery];
}
