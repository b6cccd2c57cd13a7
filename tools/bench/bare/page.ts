import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import express from 'express';

/** A server that sends one page, with the headers that it is given. The bench compares the site's HTML with it. */
const { headers, body } = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as {
  headers: Record<string, string>;
  body: string;
};
const content = Buffer.from(body, 'base64');

const app = express();
app.get('/{*path}', (_req, res) => {
  res.set(headers).send(content);
});

const server = app.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.send?.({ baseUrl: `http://localhost:${port}` });
});
process.on('SIGTERM', () => process.exit(0));
