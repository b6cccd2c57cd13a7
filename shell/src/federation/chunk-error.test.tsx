import { expect, test } from 'vitest';
import { ChunkError, failureOf, toLoadError } from './chunk-error.ts';
import { HostApiError } from './host-api-error.ts';

test.each([
  ['a script of the bundler', 'Loading chunk 964 failed.\n(error: http://host/x.js)', 'error', '964'],
  ['a script that did not answer', 'Loading chunk 964 failed.\n(timeout: http://host/x.js)', 'timeout', '964'],
  ['a script that registered nothing', 'Loading chunk 964 failed.\n(missing: http://host/x.js)', 'missing', '964'],
  ['a stylesheet', 'Loading css chunk 7 failed.\n(error: http://host/x.css)', 'error', '7'],
])('the failure of %s becomes a ChunkError', (_what, message, type, id) => {
  const thrown = Object.assign(new Error(message), { type, request: 'http://host/x' });
  const error = toLoadError(thrown, 'page');

  expect(error).toBeInstanceOf(ChunkError);
  expect(error).toMatchObject({
    name: 'ChunkLoadError',
    message: `Loading chunk ${id} failed`,
    type,
    request: 'http://host/x',
    cause: thrown,
  });
});

const URL_OF_CHUNK = 'https://host/releases/news/0.1.0/assets/page.js';

test.each([
  ['Chromium of a module', `Failed to fetch dynamically imported module: ${URL_OF_CHUNK}`, URL_OF_CHUNK],
  ['Firefox of a module', `error loading dynamically imported module: ${URL_OF_CHUNK}`, URL_OF_CHUNK],
  ['WebKit of a module', 'Importing a module script failed.', undefined],
  ['Vite of a stylesheet', `Unable to preload CSS for ${URL_OF_CHUNK}`, URL_OF_CHUNK],
])('what %s becomes a ChunkError with the name of its unit', (_who, message, request) => {
  const thrown = new TypeError(message);

  expect(toLoadError(thrown, 'news')).toMatchObject({
    name: 'ChunkLoadError',
    message: 'Loading chunk news failed',
    type: 'error',
    request,
    cause: thrown,
  });
});

test.each([
  ['a stylesheet of css-loader', 'Loading CSS chunk 667 failed.\n(/releases/news/0.1.0/667.css)', '667'],
  ['a built-in stylesheet', 'Loading css chunk 4 failed', '4'],
])('%s whose error has no type and no name becomes a ChunkError', (_what, message, id) => {
  expect(toLoadError(new Error(message), 'news')).toMatchObject({
    name: 'ChunkLoadError',
    message: `Loading chunk ${id} failed`,
    type: 'missing',
  });
});

test.each([
  ['script', { src: URL_OF_CHUNK }],
  ['link', { href: URL_OF_CHUNK }],
] as const)('the event of a %s that failed becomes a ChunkError with its address', (name, address) => {
  const element = Object.assign(document.createElement(name), address);
  const event = Object.defineProperty(new Event('error'), 'target', { value: element });

  expect(toLoadError(event, 'news')).toMatchObject({
    message: 'Loading chunk news failed',
    type: 'error',
    request: URL_OF_CHUNK,
  });
});

test('an entry that registered nothing counts as missing', () => {
  expect(toLoadError(new Error('#RUNTIME-001'), 'tools')).toMatchObject({
    message: 'Loading chunk tools failed',
    type: 'missing',
  });
});

test('a ChunkError stays as it is', () => {
  const error = new ChunkError('tools', 'timeout');
  expect(toLoadError(error, 'other')).toBe(error);
});

test('an error thrown by the page’s code does not become a ChunkError', () => {
  const thrown = new TypeError('x is not a function');
  expect(toLoadError(thrown, 'tools')).toBe(thrown);
  expect(toLoadError('a word', 'tools')).toMatchObject({ message: 'a word', cause: 'a word' });
});

test.each([
  [new ChunkError('tools', 'timeout'), 'timeout'],
  [new HostApiError('tools@1.0.0 requires host API 9.9'), 'missing'],
  [new TypeError('x is not a function'), 'crashed'],
])('a report says of %s: %s', (error, failure) => {
  expect(failureOf(error)).toBe(failure);
});
