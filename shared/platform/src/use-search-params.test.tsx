import { render } from '@testing-library/react';
import { expect, test } from 'vitest';
import { Router } from './router.ts';
import { useSearchParams } from './use-search-params.ts';

test('the query is empty in the first render of a page from the server, and that of the address right after', () => {
  history.replaceState(null, '', '/plans?hwid=device-1');
  const seen: string[] = [];
  function Page() {
    seen.push(String(useSearchParams()[0]));
    return null;
  }
  render(
    <Router>
      <Page />
    </Router>,
    { container: document.body.appendChild(document.createElement('div')), hydrate: true },
  );

  expect([seen[0], seen.at(-1)]).toEqual(['', 'hwid=device-1']);
});
