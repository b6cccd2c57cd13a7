import { Router } from '@app/platform';
import { act, cleanup, render, waitFor } from '@testing-library/react';
import { useNavigate } from 'react-router-dom';
import { afterEach, expect, test } from 'vitest';
import { useNavbarStore } from '../features/navbar/navbar-store.ts';
import { forgetFocus, PageFocus } from './page-focus.tsx';

afterEach(() => {
  cleanup();
  useNavbarStore.setState({ menu: 'closed' });
});

/** Opens a page. Returns a function that goes to another path of the site. */
function open() {
  let navigate: ReturnType<typeof useNavigate> | undefined;
  function Page() {
    navigate = useNavigate();
    return (
      <main>
        <h1>Heading</h1>
      </main>
    );
  }
  render(
    <Router>
      <Page />
      <PageFocus />
    </Router>,
  );
  return (path: string) => act(() => void navigate?.(path));
}

const focused = () => document.activeElement?.tagName;

test('a navigation focuses the heading of the next page', async () => {
  const go = open();

  go('/plans');

  await waitFor(() => expect(focused()).toBe('H1'));
});

test('the open menu keeps the focus, and the heading gets it when the menu closes', async () => {
  useNavbarStore.setState({ menu: 'open' });
  forgetFocus();
  const go = open();

  go('/resellers');
  await waitFor(() => expect(location.pathname).toBe('/resellers'));
  expect(focused()).toBe('BODY');

  act(() => useNavbarStore.setState({ menu: 'closing' }));
  expect(focused()).toBe('H1');
});
