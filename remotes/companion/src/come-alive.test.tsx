import { comeAlive } from '@app/testing/come-alive';
import { closeBrowser, openBrowser, serve } from '@app/testing/visit';
import { afterEach, beforeEach, expect, test } from 'vitest';
import remote from './remote.ts';

beforeEach(() => openBrowser(Date.UTC(2026, 2, 10)));
beforeEach(() => void serve({}));
afterEach(closeBrowser);

test.each(Object.keys(remote.routes))('no element of %s is replaced when it comes alive', async (path) => {
  expect(await comeAlive(remote, path)).toEqual([]);
});
