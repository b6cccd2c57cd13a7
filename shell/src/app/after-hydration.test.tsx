import { fireEvent } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { onLinkIntent } from './after-hydration.ts';

const preloadedPaths: string[] = [];
let stop: () => void;

beforeEach(() => {
  history.replaceState(null, '', '/v5');
  stop = onLinkIntent((pathname) => preloadedPaths.push(pathname));
});

afterEach(() => {
  stop();
  preloadedPaths.length = 0;
  document.body.replaceChildren();
});

/** Puts a link with a word in it into the page. */
function link(href: string, target = ''): HTMLElement {
  document.body.innerHTML = `<a href="${href}" target="${target}"><b>Plans</b></a>`;
  return document.querySelector('b')!;
}

test.each([
  ['a mouse is over it, or a finger on it', fireEvent.pointerOver],
  ['it has the focus', fireEvent.focusIn],
])('preloads the page of a link when %s', (_, sign) => {
  sign(link('/plans?hwid=device-1#buy'));

  expect(preloadedPaths).toEqual(['/plans']);
});

test.each([
  ['another site', 'https://elsewhere.example/plans', ''],
  ['another tab', '/plans', '_blank'],
  ['this page', '/v5#downloads', ''],
])('does not preload a link to %s', (_, href, target) => {
  fireEvent.pointerOver(link(href, target));

  expect(preloadedPaths).toEqual([]);
});

test('preloads nothing outside of a link', () => {
  fireEvent.pointerOver(document.body);
  fireEvent.pointerOver(document);

  expect(preloadedPaths).toEqual([]);
});

test('preloads nothing when the browser saves data', () => {
  vi.stubGlobal('navigator', { connection: { saveData: true } });
  fireEvent.pointerOver(link('/plans'));

  expect(preloadedPaths).toEqual([]);
});
