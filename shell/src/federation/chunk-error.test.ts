import { expect, test } from 'vitest';
import { ChunkError, toChunkError } from './chunk-error.ts';

test.each([
  ['a script of the bundler', 'Loading chunk 964 failed.\n(error: http://host/x.js)', 'error', '964'],
  ['a script that did not answer', 'Loading chunk 964 failed.\n(timeout: http://host/x.js)', 'timeout', '964'],
  ['a script that registered nothing', 'Loading chunk 964 failed.\n(missing: http://host/x.js)', 'missing', '964'],
  ['a stylesheet', 'Loading css chunk 7 failed.\n(error: http://host/x.css)', 'error', '7'],
])('the failure of %s becomes a ChunkError', (_what, message, type, id) => {
  const error = toChunkError(Object.assign(new Error(message), { type, request: 'http://host/x' }), 'page');

  expect(error).toBeInstanceOf(ChunkError);
  expect(error).toMatchObject({
    name: 'ChunkLoadError',
    message: `Loading chunk ${id} failed`,
    type,
    request: 'http://host/x',
  });
});

test.each([new Error('#RUNTIME-001'), new TypeError('x is not a function'), 'a word', undefined])(
  'anything else that goes wrong while loading counts as missing: %s',
  (thrown) => {
    expect(toChunkError(thrown, 'tools')).toMatchObject({ message: 'Loading chunk tools failed', type: 'missing' });
  },
);

test('a ChunkError stays as it is', () => {
  const error = new ChunkError('tools', 'timeout');
  expect(toChunkError(error, 'other')).toBe(error);
});
