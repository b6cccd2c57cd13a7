import type { Resolution } from '@app/contracts/resolution';
import { closeBrowser, openBrowser } from '@app/testing/visit';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ContractError } from './contract-error.ts';
import { pageAt } from './load-page.ts';
import { provideResolution } from './releases.ts';

vi.mock('@module-federation/enhanced/runtime', () => ({
  init: () => undefined,
  registerRemotes: () => undefined,
  loadRemote: () => Promise.resolve(undefined),
}));

beforeEach(() => openBrowser(0));
afterEach(() => closeBrowser());

function resolve(version: string, contract: string): Resolution {
  const entry = {
    url: `/releases/news/${version}/remoteEntry.js`,
    integrity: 'sha384-x',
    globalName: `news@${version}`,
  };
  return { revision: 1, units: { news: { version, source: 'stable', entry, contract, routes: ['/news'] } } };
}

test('when Retry learns of a version that needs a newer shell, the page is loaded anew, and only then', async () => {
  const reload = vi.spyOn(location, 'reload').mockReturnValue(undefined);
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json(resolve('2.0.0', '999.0'))));
  provideResolution(resolve('1.0.0', '999.0'));
  const page = pageAt('news', '/news');

  await expect(page.preload()).rejects.toThrow(ContractError);
  expect(reload).not.toHaveBeenCalled();
  page.retry();
  await expect(page.preload()).rejects.toThrow(ContractError);
  expect(reload).toHaveBeenCalledOnce();
});
