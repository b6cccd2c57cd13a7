import { connect } from 'node:net';
import { Router } from 'express';
import { expect, test } from 'vitest';
import { registry } from '#api/foundation/telemetry/metrics.ts';
import { PAGE_SITE } from '#api/test/delivery/page-site.ts';
import { createTestApi } from '#api/test/create-test-api.ts';
import { countMeanwhile, readMetric } from '#api/test/read-metric.ts';

const SECRET = 'Device_or_ticket_of_a_visitor_01234567890123';
const COUNT_METRIC = 'http_request_duration_seconds_count';

test.each([
  { asked: '/key-system-1?hwid=device', route: '/key-system-1', status: '2xx' },
  { asked: '/healthz', route: '/healthz', status: '2xx' },
  { asked: `/api/keysystem/return/${SECRET}`, route: '/api/keysystem/return/:ticket', status: '3xx' },
  { asked: `/API/KeySystem/Return/${SECRET}/`, route: '/api/keysystem/return/:ticket', status: '3xx' },
  { asked: '/api/keysystem/state', route: '/api/keysystem/state', status: '4xx' },
  { asked: '/download/main/nothing', route: '/download/:app/:platform', status: '4xx' },
  { asked: '/api/downloads', route: '/api/downloads', status: '2xx' },
  { asked: `/releases/tools/1.0.0/${SECRET}.js`, route: '/releases/*', status: '4xx' },
  { asked: `/${SECRET}`, route: '(other)', status: '3xx' },
  { asked: `/api/${SECRET}`, route: '(other)', status: '4xx' },
  { asked: `/${SECRET}.js`, route: '(other)', status: '4xx' },
])('$asked is counted as $route with $status', async ({ asked, route, status }) => {
  const api = await createTestApi({ files: PAGE_SITE });
  const labels = { method: 'GET', route, status };
  const before = await readMetric(COUNT_METRIC, labels);

  await api.visit(asked);

  await expect.poll(() => readMetric(COUNT_METRIC, labels)).toBe(before + 1);
});

test('threat 46: addresses and methods from visitors create no metric labels', async () => {
  const api = await createTestApi({ files: PAGE_SITE });
  const series = async () => (await registry.metrics()).split('\n').filter((line) => line.startsWith(COUNT_METRIC));
  const askAll = async (word: string) => {
    const before = await readMetric(COUNT_METRIC);
    const paths = [
      `/${word}`,
      `/api/${word}`,
      `/api/keysystem/return/${word}`,
      `/x/${word}/api/keysystem/return/${word}`,
      `/api/keysystem/postback/${word}`,
      `/releases/tools/1.0.0/${word}`,
      `/content/${word}`,
      `/key-system-1?hwid=${word}&zone=${word}`,
      `/key-system-1/${word}`,
      `/download/${word}/${word}`,
      `/dev/advertiser/rinku/go/${word}`,
    ];
    for (const path of paths) for (const method of ['GET', 'PROPFIND', 'SEARCH']) await api.visit(path, {}, method);
    await expect.poll(() => readMetric(COUNT_METRIC)).toBe(before + 3 * paths.length);
    return series();
  };

  const first = await askAll(SECRET);
  const second = await askAll(`Another_${SECRET}`);

  expect(second).toHaveLength(first.length);
  expect(await registry.metrics()).not.toContain('a_visitor');
});

test('errors are counted by their code', async () => {
  const api = await createTestApi();

  expect(
    await countMeanwhile(
      [
        ['http_errors_total', { code: 'route.not_found' }],
        ['http_errors_total', { code: 'KS_HWID' }],
      ],
      async () => {
        await api.ask('/api/none');
        await api.ask('/api/keysystem/state?hwid=%00');
      },
    ),
  ).toEqual([1, 1]);
});

test('an aborted request is counted as aborted, and no longer as in progress', async () => {
  let arrived: (() => void) | undefined;
  const silent = Router().get('/silent', () => arrived?.());
  const api = await createTestApi({ files: [silent] });
  const labels = { route: '/silent', status: 'aborted' };
  const inProgress = await readMetric('http_requests_in_progress');

  const { port } = new URL(api.origin);
  const client = connect(Number(port), '127.0.0.1');
  const arrival = new Promise<void>((resolve) => (arrived = resolve));
  client.write('GET /silent HTTP/1.1\r\nHost: site\r\n\r\n');
  await arrival;
  expect(await readMetric('http_requests_in_progress')).toBe(inProgress + 1);
  client.destroy();

  await expect.poll(() => readMetric(COUNT_METRIC, labels)).toBe(1);
  expect(await readMetric('http_requests_in_progress')).toBe(inProgress);
});
