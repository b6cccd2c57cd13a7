import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { createTestApi } from '#api/test/create-test-api.ts';
import { createMetricsServer } from './metrics-server.ts';

async function open(): Promise<string> {
  const server = createMetricsServer().listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
}

test('Prometheus reads the metrics of the site and of the process', async () => {
  const answer = await fetch(`${await open()}/metrics`);

  expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  const told = await answer.text();
  for (const name of ['http_request_duration_seconds', 'nodejs_eventloop_lag_p99_seconds', 'process_cpu_seconds_total'])
    expect(told).toContain(`# TYPE ${name} `);
});

test.each([
  ['GET', '/'],
  ['POST', '/metrics'],
  ['GET', '/metrics/'],
  ['GET', '/api/keysystem/state'],
])('there is nothing else: %s %s', async (method, path) => {
  expect((await fetch(`${await open()}${path}`, { method })).status).toBe(404);
});

test('threat 46: of many requests in one packet one is answered', async () => {
  const { port, hostname } = new URL(await open());
  const socket = connect({ port: Number(port), host: hostname });
  socket.write('GET /metrics HTTP/1.1\r\nHost: a.example\r\n\r\n'.repeat(50));

  const answers = await text(socket);
  expect(answers.match(/^HTTP\/1\.1 200/gm)).toHaveLength(1);
});

test('threat 46: visitors cannot read the metrics', async () => {
  const api = await createTestApi();

  for (const path of ['/metrics', '/api/metrics']) expect((await api.ask(path)).status).toBe(404);
});
