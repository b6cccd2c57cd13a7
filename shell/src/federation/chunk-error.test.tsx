import { expect, test } from 'vitest';
import { ChunkError, failureOf, toLoadError } from './chunk-error.ts';
import { HostApiError } from './host-api-error.ts';

const URL_OF_CHUNK = 'https://host/releases/news/0.1.0/assets/page.js';
const bundler = (message: string, type: string) => Object.assign(new Error(message), { type, request: URL_OF_CHUNK });

test.each([
  ['a script', bundler('Loading chunk 964 failed.\n(error: http://host/x.js)', 'error'), 'error', '964', URL_OF_CHUNK],
  ['a late script', bundler('Loading chunk 964 failed.\n(timeout: x)', 'timeout'), 'timeout', '964', URL_OF_CHUNK],
  ['an empty script', bundler('Loading chunk 964 failed.\n(missing: x)', 'missing'), 'missing', '964', URL_OF_CHUNK],
  ['a stylesheet', bundler('Loading css chunk 7 failed.\n(error: x)', 'error'), 'error', '7', URL_OF_CHUNK],
  ['css-loader', new Error('Loading CSS chunk 667 failed.\n(/x/667.css)'), 'missing', '667', undefined],
  ['a built-in stylesheet', new Error('Loading css chunk 4 failed'), 'missing', '4', undefined],
  ['an entry that registered nothing', new Error('#RUNTIME-001'), 'missing', 'news', undefined],
  // Errors of imports do not name the unit.
  [
    'Chromium',
    new Error(`Failed to fetch dynamically imported module: ${URL_OF_CHUNK}`),
    'error',
    'news',
    URL_OF_CHUNK,
  ],
  ['Firefox', new Error(`error loading dynamically imported module: ${URL_OF_CHUNK}`), 'error', 'news', URL_OF_CHUNK],
  ['WebKit', new Error('Importing a module script failed.'), 'error', 'news', undefined],
  ['Vite', new Error(`Unable to preload CSS for ${URL_OF_CHUNK}`), 'error', 'news', URL_OF_CHUNK],
] as const)('the failure of %s becomes a ChunkError', (_what, thrown, type, id, request) => {
  const error = toLoadError(thrown, 'news');

  expect(error).toBeInstanceOf(ChunkError);
  expect(error).toMatchObject({
    name: 'ChunkLoadError',
    message: `Loading chunk ${id} failed`,
    type,
    request,
    cause: thrown,
  });
});

test.each([
  ['script', { src: URL_OF_CHUNK }],
  ['link', { href: URL_OF_CHUNK }],
] as const)('the error event of a %s becomes a ChunkError with its address', (name, address) => {
  const target = Object.assign(document.createElement(name), address);
  const event = Object.defineProperty(new Event('error'), 'target', { value: target });

  expect(toLoadError(event, 'news')).toMatchObject({
    message: 'Loading chunk news failed',
    type: 'error',
    request: URL_OF_CHUNK,
  });
});

test.each([new ChunkError('tools', 'timeout'), new TypeError('x is not a function')])(
  '%s is not wrapped when page code throws an error',
  (error) => {
    expect(toLoadError(error, 'other')).toBe(error);
  },
);

test('a thrown string becomes an error', () => {
  expect(toLoadError('a word', 'tools')).toMatchObject({ message: 'a word', cause: 'a word' });
});

test.each([
  [new ChunkError('tools', 'timeout'), 'timeout'],
  [new HostApiError('tools@1.0.0 requires host API 9.9'), 'missing'],
  [new TypeError('x is not a function'), 'crashed'],
])('%s is reported as %s', (error, failure) => {
  expect(failureOf(error)).toBe(failure);
});
