import { hydrate } from '@app/testing/hydrate';
import { closeBrowser, openBrowser } from '@app/testing/visit';
import { afterEach, beforeEach, expect, test } from 'vitest';
import remote from './remote.ts';
import { RECAPTCHA, serveRecaptcha } from './test/fake-recaptcha.ts';
import { NOW, neverAnswer, startServer } from './test/run-server.ts';

beforeEach(() => openBrowser(NOW, { captcha: RECAPTCHA }));
beforeEach(() => void serveRecaptcha());
beforeEach(() => void startServer(neverAnswer));
afterEach(closeBrowser);

test.each(Object.keys(remote.routes))('hydration replaces no element of %s', async (path) => {
  expect(await hydrate(remote, path)).toEqual([]);
});
