import { createServer, type Server } from 'node:http';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { registry } from '#api/telemetry/metrics.ts';

/** A scrape is one small request. */
const PATIENCE_MS = 10_000;

/**
 * Creates the server that Prometheus reads: `GET /metrics`, and nothing else. It has a port of its own, because what it
 * tells is not for visitors. From now on the process is measured as well. The caller makes it listen.
 */
export function createMetricsServer(): Server {
  const ofProcess = new Registry();
  collectDefaultMetrics({ register: ofProcess });
  const all = Registry.merge([registry, ofProcess]);
  return createServer({ headersTimeout: PATIENCE_MS, requestTimeout: PATIENCE_MS }, (req, res) => {
    if (req.method !== 'GET' || req.url !== '/metrics') return void res.writeHead(404).end();

    all.metrics().then(
      (text) => res.writeHead(200, { 'content-type': all.contentType }).end(text),
      () => res.writeHead(500).end(),
    );
  });
}
