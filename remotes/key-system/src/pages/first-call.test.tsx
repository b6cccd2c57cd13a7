import { closeBrowser, openBrowser, visit } from '@app/testing/visit';
import { afterEach, beforeEach, expect, test } from 'vitest';
import remote from '../remote.ts';
import { routes } from '../routes.ts';
import { RECAPTCHA, serveRecaptcha } from '../test/fake-recaptcha.ts';
import { NOW, silence, startServer } from '../test/run-server.ts';

beforeEach(() => openBrowser(NOW, { captcha: RECAPTCHA }));
beforeEach(() => void serveRecaptcha());
afterEach(closeBrowser);

const CALLS = Object.entries(routes).flatMap(([path, line]) => ('firstCall' in line ? [[path, line.firstCall]] : []));

test.each(CALLS)('the first call of %s is the one that its line names', async (path = '', call = '') => {
  const { asked } = startServer(silence);
  await visit(remote, `${path}?hwid=device-1&zone=z1&app=tool`);

  expect(asked).toEqual([call.replace('{hwid}', 'device-1').replace('{zone?}', 'z1').replace('{app}', 'tool')]);
});
