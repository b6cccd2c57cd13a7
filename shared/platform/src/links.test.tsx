import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useLayoutEffect } from 'react';
import { hydrateRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Link } from './links.tsx';
import { BrowserRouter as Router, useLocation } from 'react-router-dom';
import { useSearchParams } from './visitor.ts';

beforeEach(() => history.replaceState(null, '', '/v5?hwid=device-1&text=x'));
afterEach(cleanup);

function Path() {
  return <output>{useLocation().pathname}</output>;
}

function open(props: Partial<Parameters<typeof Link>[0]> = {}) {
  render(
    <Router>
      <Link to="/plans#faq" {...props}>
        Plans
      </Link>
      <Path />
    </Router>,
  );
  return screen.getByText('Plans');
}

/** Clicks a link. Returns whether the browser itself follows it. */
function click(link: HTMLElement): boolean {
  let isLeft = false;
  // A click that is still unhandled here is the browser's, which would leave the test.
  const look = (event: Event) => {
    isLeft = !event.defaultPrevented;
    event.preventDefault();
  };
  window.addEventListener('click', look, { once: true });
  fireEvent.click(link);
  return isLeft;
}

const shown = () => screen.getByRole('status').textContent;

test('navigates within the page, and keeps only the device parameters', () => {
  const link = open();
  expect(link.getAttribute('href')).toBe('/plans?hwid=device-1#faq');

  expect([click(link), shown()]).toEqual([false, '/plans']);
});

test('does not navigate when the click was handled', () => {
  expect([click(open({ onClick: (event) => event.preventDefault() })), shown()]).toEqual([false, '/v5']);
});

test('leaves clicks that open another tab to the browser', () => {
  expect([click(open({ target: '_blank' })), shown()]).toEqual([true, '/v5']);
});

test('keeps the device in a link that is clicked during hydration', () => {
  function ClickAtOnce() {
    useLayoutEffect(() => document.querySelector<HTMLElement>('#hydrated a')?.click(), []);
    return null;
  }
  const place = document.createElement('div');
  place.id = 'hydrated';
  place.innerHTML = '<a href="/plans">Plans</a>';
  document.body.append(place);

  let root: Root | undefined;
  act(() => {
    root = hydrateRoot(
      place,
      <Router>
        <Link to="/plans">Plans</Link>
        <ClickAtOnce />
      </Router>,
    );
  });

  expect(location.href).toContain('/plans?hwid=device-1');
  act(() => root?.unmount());
  place.remove();
});

test('the query is empty during hydration, and matches the URL right after', () => {
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
