import { useState } from 'react';

/**
 * The role of an element whose words tell what has changed. It is no status while it has the words that it began with:
 * some screen readers read a new status too, and a page that is come back to has no news.
 */
export function useStatusRole(words: string | number): 'status' | undefined {
  const [first, setFirst] = useState<string | number | undefined>(words);
  if (first !== undefined && words !== first) setFirst(undefined);

  return first === undefined ? 'status' : undefined;
}
