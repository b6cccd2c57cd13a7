import { once } from 'node:events';
import { beforeAll, expect, test, vi } from 'vitest';
import { buildOutdated } from '../units/build-outdated.ts';
import { START_TIMEOUT_MS, POLLING, start } from './started-server.ts';

beforeAll(() => buildOutdated(undefined, process.stderr), START_TIMEOUT_MS);

/** Starts the built server, and finds the port of its metrics. */
async function startWatched(settings: Record<string, string> = {}) {
  const server = await start(process.execPath, ['dist/api/main.js'], { METRICS_PORT: '0', ...settings });
  const line = server.lines.find((said) => said.includes('"msg":"metrics"')) ?? '{}';
  const { port } = JSON.parse(line) as { port?: number };
  const scrape = async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  return { server, scrape };
}

const statusOf = async (address: string) => (await fetch(address)).status;

test(
  'a server with METRICS_PORT gives its metrics there and not to visitors, and one without gives none',
  async () => {
    const { server, scrape } = await startWatched();
    expect(await statusOf(`${server.url}/v5`)).toBe(200);

    await vi.waitFor(
      async () =>
        expect(await scrape()).toMatch(
          /^http_request_duration_seconds_count\{method="GET",route="\/v5",status="2xx"\} 1$/m,
        ),
      POLLING,
    );
    expect(await scrape()).toContain('nodejs_eventloop_lag_p99_seconds');
    expect(await (await fetch(`${server.url}/metrics`)).text()).not.toContain('http_request_duration_seconds');

    const { server: unwatched } = await startWatched({ METRICS_PORT: '' });
    expect(unwatched.lines.join()).not.toContain('"msg":"metrics"');
  },
  START_TIMEOUT_MS,
);

test(
  'a server that stops after a delay says so to load balancers first, and still answers visitors',
  async () => {
    const { server, scrape } = await startWatched({ STOP_DELAY_MS: '60000' });
    expect(await statusOf(`${server.url}/readyz`)).toBe(200);

    server.child.kill('SIGTERM');
    await vi.waitFor(async () => expect(await statusOf(`${server.url}/readyz`)).toBe(503), POLLING);

    const page = await fetch(`${server.url}/v5`);
    expect([page.status, page.headers.get('connection')]).toEqual([200, 'close']);
    expect(await scrape()).toContain('http_errors_total{code="server.stopping"}');
  },
  START_TIMEOUT_MS,
);

test(
  'without a delay a server stops at once, and its metrics hold it no longer',
  async () => {
    const { server, scrape } = await startWatched();
    await scrape();

    server.child.kill('SIGTERM');
    await once(server.child, 'close');

    expect(server.lines.at(-1)).toContain('"msg":"stopped"');
  },
  START_TIMEOUT_MS,
);
