import { comeAlive } from '@app/testing/come-alive';
import { closeBrowser, openBrowser } from '@app/testing/visit';
import { afterEach, beforeEach, expect, test } from 'vitest';
import remote from './remote.ts';
import { RECAPTCHA, serveRecaptcha } from './test/fake-recaptcha.ts';
import { NOW, silence, startServer } from './test/run-server.ts';

beforeEach(() => openBrowser(NOW, { captcha: RECAPTCHA }));
beforeEach(() => void serveRecaptcha());
beforeEach(() => void startServer(silence));
afterEach(closeBrowser);

test.each(Object.keys(remote.routes))('no element of %s is replaced when it comes alive', async (path) => {
  expect(await comeAlive(remote, path)).toEqual([]);
});
