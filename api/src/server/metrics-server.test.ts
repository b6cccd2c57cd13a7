import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { createTestApi } from '#api/test/create-test-api.ts';
import { httpRequestsInProgress } from '#api/foundation/telemetry/metrics.ts';
import { createMetricsServer } from './metrics-server.ts';

/** @param onRequest is called for each request that is handled */
async function open(onRequest = () => undefined as void): Promise<string> {
  const server = createMetricsServer().on('request', onRequest).listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
}

test('Prometheus can scrape the metrics of the site and of the process', async () => {
  const answer = await fetch(`${await open()}/metrics`);

  expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  const told = await answer.text();
  for (const name of ['http_request_duration_seconds', 'nodejs_eventloop_lag_p99_seconds', 'process_cpu_seconds_total'])
    expect(told).toContain(`# TYPE ${name} `);
});

test('each scrape gets the current values', async () => {
  const address = `${await open()}/metrics`;
  httpRequestsInProgress.set(1);
  expect(await (await fetch(address)).text()).toContain('\nhttp_requests_in_progress 1\n');

  httpRequestsInProgress.set(2);
  expect(await (await fetch(address)).text()).toContain('\nhttp_requests_in_progress 2\n');
});

test.each([
  ['GET', '/'],
  ['POST', '/metrics'],
  ['GET', '/metrics/'],
  ['GET', '/api/keysystem/state'],
])('answers 404 to %s %s', async (method, path) => {
  expect((await fetch(`${await open()}${path}`, { method })).status).toBe(404);
});

test('threat 46: of many pipelined requests only the first is handled', async () => {
  let handled = 0;
  const { port, hostname } = new URL(await open(() => void handled++));
  const socket = connect({ port: Number(port), host: hostname });
  socket.write('GET /metrics HTTP/1.1\r\nHost: a.example\r\n\r\n'.repeat(50));

  const answers = await text(socket);
  expect(answers.match(/^HTTP\/1\.1 200/gm)).toHaveLength(1);
  expect(handled).toBe(1);
});

test('threat 46: twenty connections are accepted, and one more is closed', async () => {
  const { port, hostname } = new URL(await open());
  const connection = async () => {
    const socket = connect({ port: Number(port), host: hostname }).on('error', () => undefined);
    onTestFinished(() => void socket.destroy());
    await once(socket, 'connect');
    return socket;
  };
  for (let opened = 0; opened < 20; opened++) await connection();

  expect(await text(await connection())).toBe('');
});

test('threat 46: visitors cannot read the metrics', async () => {
  const api = await createTestApi();

  for (const path of ['/metrics', '/api/metrics']) expect((await api.ask(path)).status).toBe(404);
});
