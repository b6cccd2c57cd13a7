import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { takeTheOneCopy } from './one-copy-plugin.ts';

const RUNTIME = 'var splitAndConvert = 1; var satisfy = 2;\nvar consumeSharedInstalledModules = {};\n';

/** Takes a package out of a share scope, as the runtime of a container does. */
function take(name: string, scopes: object): unknown {
  const code = `${takeTheOneCopy(RUNTIME)} resolveHandler({ shareScope: 'default', shareKey: name })();`;
  return runInNewContext(code, { __webpack_require__: { S: scopes }, name });
}

test('a container takes the copy of the page, whatever its version', () => {
  const react = { loaded: 0, get: () => 'the copy' };
  expect(take('react', { default: { react: { '19.9.0-canary': react } } })).toBe('the copy');
  expect(react.loaded).toBe(1);
});

test('a package that the page does not have is named', () => {
  for (const scopes of [{}, { default: {} }])
    expect(() => take('zustand', scopes)).toThrow("Shared module zustand doesn't exist in shared scope default");
});

test('a runtime that chooses in another way stops the build', () => {
  expect(() => takeTheOneCopy('var pickVersion = 1;')).toThrow('is not known here');
});
