import { closeBrowser, openBrowser } from '@app/testing/visit';
import { Router } from '@app/platform';
import { render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LanguageLinks } from './language-links.tsx';

beforeEach(() => openBrowser(0));
afterEach(closeBrowser);

test.each([
  [undefined, 'English'],
  ['vi', 'Tiếng Việt'],
  ['xx', 'English'],
])('a page in "%s" marks %s, and links to the same page in the other language', (locale, current) => {
  vi.stubGlobal('translations', locale && { locale, texts: {} });
  history.replaceState(null, '', '/plans?lang=en');
  render(
    <Router>
      <LanguageLinks />
    </Router>,
  );
  const links = screen.getAllByRole<HTMLAnchorElement>('link');

  expect(links.filter((link) => link.getAttribute('aria-current')).map((link) => link.textContent)).toEqual([current]);
  expect(links.map((link) => [link.lang, link.getAttribute('href'), link.target])).toEqual([
    ['en', '/plans?lang=en', '_top'],
    ['vi', '/plans?lang=vi', '_top'],
  ]);
});
