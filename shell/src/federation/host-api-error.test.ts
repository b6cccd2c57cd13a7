import { HOST_API_VERSION } from '@app/contracts/unit';
import { ModuleFederation } from '@module-federation/enhanced/runtime';
import { expect, test } from 'vitest';
import { requireHostApi } from './host-api-error.ts';
import { createShareScope, sharedPackages } from './shared-packages.ts';

test.each([
  ['@app/platform', 'useThings'],
  ['react', 'useThings'],
  ['react/jsx-runtime', 'jsxDEV'],
])('%s throws an error for the unknown name %s', (name, unknown) => {
  expect(() => nameOf(sharedPackages[name]?.lib(), unknown)).toThrow(
    expect.objectContaining({ name: 'HostApiError', message: `${name} has no ${unknown}` }),
  );
});

test('a shared package tolerates the property probes of bundlers and promises', async () => {
  const { default: react } = await import('react');
  const shared = sharedPackages['react']?.lib() ?? {};

  expect(nameOf(shared, 'useState')).toBe(react.useState);
  expect(Object.keys(shared)).toEqual(Object.keys(react));
  expect('useThings' in shared).toBe(false);
  // An awaited value is asked for `then`.
  expect(await Promise.resolve(shared)).toBe(shared);
  const platform = sharedPackages['@app/platform']?.lib();
  expect(['default', Symbol.iterator].map((name) => nameOf(platform, name))).toEqual([undefined, undefined]);
});

test('a remote gets a shared package from the federation runtime as the shell provides it', () => {
  const page = new ModuleFederation({ name: 'page', remotes: [] });
  page.initShareScopeMap('default', createShareScope());
  const load = page.shareScopeMap['default']?.['@app/platform']?.[`${HOST_API_VERSION}.0`]?.get();
  const platform = typeof load === 'function' ? (load() as object) : undefined;

  expect(platform).toBe(sharedPackages['@app/platform']?.lib());
  expect(() => nameOf(platform, 'useThings')).toThrow('@app/platform has no useThings');
});

test('a remote that requires more of the host API than the shell provides throws an error that says so', () => {
  const [major = 0, minor = 0] = HOST_API_VERSION.split('.').map(Number);
  const remote = { unit: 'tools', version: '1.4.0' };

  for (const contract of [`${major}.${minor + 1}`, `${major + 1}.0`, `${major - 1}.${minor}`])
    expect(() => requireHostApi({ ...remote, contract })).toThrow(
      expect.objectContaining({
        name: 'HostApiError',
        message: `tools@1.4.0 requires host API ${contract}, the shell provides ${HOST_API_VERSION}`,
      }),
    );
  expect(() => requireHostApi({ ...remote, contract: `${major}.0` })).not.toThrow();
  expect(() => requireHostApi({ ...remote, contract: HOST_API_VERSION })).not.toThrow();
});

function nameOf(shared: object | undefined, name: string | symbol): unknown {
  return Reflect.get(shared ?? {}, name);
}
