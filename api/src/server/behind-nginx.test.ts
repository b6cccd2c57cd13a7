import { request, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { startNginx } from '../../../tools/cluster/nginx.ts';
import { ensurePackages } from '../../../tools/machine/ensure-installed.ts';
import { createTestApi } from '#api/test/create-test-api.ts';
import { listen } from '#api/test/listen.ts';
import { listRoutes } from '#api/test/list-routes.ts';
import { makeFolder } from '#api/test/make-folder.ts';
import { freePort } from '../../../tools/machine/free-port.ts';

/** It is each server's own answer, for the network of the servers alone. */
const BLOCKED_ROUTE = 'GET /readyz';

test('nginx as configured in deploy/ passes every route on unchanged', async () => {
  const { app } = await createTestApi();
  const routes = listRoutes(app);
  const echo = await listen((req, res) => res.end(`${req.method} ${req.url}`));
  await ensurePackages('nginx-light');
  const port = await freePort();
  const nginx = await startNginx(makeFolder(), port, [Number(new URL(echo).port)]);
  onTestFinished(() => nginx.stop());

  const lost: string[] = [];
  for (const route of routes.flatMap((each) => [each, `${each}/`])) {
    const [method = '', path = ''] = route.replaceAll(/[:*]/g, '').split(' ');
    const asked = request({ host: '127.0.0.1', port, method, path, agent: false }).end();
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    if ((await text(answer)) !== `${method} ${path}`) lost.push(route);
  }

  expect(routes).toContain('GET /api/releases');
  expect(lost).toEqual([BLOCKED_ROUTE, `${BLOCKED_ROUTE}/`]);
});
