import { createServer, type Server } from 'node:http';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { registry } from '#api/foundation/telemetry/metrics.ts';

/** A scrape is one small request. */
const TIMEOUT_MS = 10_000;

/** A few that scrape, and an operator who looks. */
const MAX_CONNECTIONS = 20;

/**
 * Creates the server that Prometheus reads: `GET /metrics`, and nothing else. It has a port of its own, because what it
 * tells is not for visitors. From now on the process is measured as well. The caller makes it listen.
 */
export function createMetricsServer(): Server {
  const ofProcess = new Registry();
  collectDefaultMetrics({ register: ofProcess });
  const all = Registry.merge([registry, ofProcess]);
  let collecting: Promise<string> | undefined;
  /** Requests that come meanwhile get the same text: collecting it takes milliseconds from the site. */
  const collect = () => (collecting ??= all.metrics().finally(() => (collecting = undefined)));
  const server = createServer({ headersTimeout: TIMEOUT_MS, requestTimeout: TIMEOUT_MS }, (req, res) => {
    if (req.method !== 'GET' || req.url !== '/metrics') return void res.writeHead(404).end();

    collect().then(
      (text) => res.writeHead(200, { 'content-type': all.contentType, connection: 'close' }).end(text),
      () => res.writeHead(500).end(),
    );
  });
  // Many requests in one packet would each be answered before anything of the site is.
  server.maxRequestsPerSocket = 1;
  server.maxConnections = MAX_CONNECTIONS;
  return server;
}
