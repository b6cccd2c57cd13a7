import { hydrate } from '@app/testing/hydrate';
import { closeBrowser, openBrowser, serve } from '@app/testing/visit';
import { afterEach, beforeEach, expect, test } from 'vitest';
import remote from './remote.ts';

beforeEach(() => openBrowser(Date.UTC(2026, 2, 10)));
beforeEach(() => void serve({}));
afterEach(closeBrowser);

test.each(Object.keys(remote.routes))('hydration replaces no element of %s', async (path) => {
  expect(await hydrate(remote, path)).toEqual([]);
});
