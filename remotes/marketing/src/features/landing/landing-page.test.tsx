import { closeBrowser, openBrowser } from '@app/testing/visit';
import { cleanup, render } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LandingPage } from './landing-page.tsx';

beforeEach(() => openBrowser(Date.UTC(2026, 2, 10)));
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  closeBrowser();
});

test.each([
  { type: 'back_forward', isLeftOut: false, what: 'by the back button is laid out at once, before it is scrolled' },
  { type: 'navigate', isLeftOut: true, what: 'anew is laid out bit by bit' },
])('a page that is opened $what', ({ type, isLeftOut }) => {
  vi.stubGlobal('PerformanceNavigationTiming', Object);
  vi.spyOn(performance, 'getEntriesByType').mockReturnValue([{ type } as PerformanceNavigationTiming]);
  const page = (
    <LandingPage hero={<h1>V5</h1>} action={<a href="/v5">Download</a>}>
      <section>Why</section>
    </LandingPage>
  );
  const container = document.body.appendChild(document.createElement('div'));
  container.innerHTML = render(page).container.innerHTML;
  const column = container.querySelector('section')?.parentElement;
  column?.setAttribute('data-sent', 'true');

  render(page, { container, hydrate: true });

  expect(column?.hasAttribute('data-sent')).toBe(isLeftOut);
});
