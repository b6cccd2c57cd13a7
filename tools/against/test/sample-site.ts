import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Release } from '../../../shared/contracts/src/release.ts';
import type { Resolution } from '../../../shared/contracts/src/resolution.ts';
import type { EditedUnit } from '../edited-unit.ts';
import { serveEdited } from '../serve-edited.ts';
import { openSite } from '../site.ts';

export const CODE = 'globalThis.edited = true;';

export const RESOLUTION: Resolution = {
  revision: 7,
  units: {
    shell: {
      version: '1.0.0',
      source: 'stable',
      entry: { url: '/releases/shell/1.0.0/shell.js', integrity: 'sha384-a' },
      contract: '2.2',
      routes: ['/qa'],
    },
    news: {
      version: '1.0.0',
      source: 'stable',
      entry: { url: '/releases/news/1.0.0/entry.js', integrity: 'sha384-b', globalName: 'news_1' },
      contract: '2.1',
      routes: ['/news'],
      lastGood: { version: '0.9.0', entry: { url: '/releases/news/0.9.0/entry.js', integrity: 'sha384-c' } },
    },
  },
};

export const HTML = `<!doctype html><html><head><title>News</title>
<link rel="stylesheet" href="/releases/shell/1.0.0/shell.css" integrity="sha384-a">
<link rel="preload" as="style" href="/releases/news/1.0.0/page.css" integrity="sha384-d">
<link rel="preload" as="script" href="/releases/news/1.0.0/entry.js" integrity="sha384-b">
<script id="resolution" type="application/json">${JSON.stringify(RESOLUTION)}</script>
<script defer src="/releases/shell/1.0.0/shell.js" integrity="sha384-a"></script>
</head></html>`;

export function buildRelease(): Release {
  const line = { description: 'News.', picture: 'tools', canonical: null, preload: [], css: [] };
  return {
    unit: 'news',
    version: '0.1.0-dev.working-copy',
    commit: null,
    contract: { version: '2.2' },
    entry: { file: 'entry.js', integrity: 'sha384-own', globalName: 'news_own' },
    css: [],
    routes: [
      { ...line, path: '/news', title: '' },
      { ...line, path: '/news/today', title: 'Today' },
    ],
    files: { 'entry.js': { sha384: 'own', bytes: CODE.length } },
  };
}

export type SampleSite = Awaited<ReturnType<typeof openSampleSite>>;

/** Opens a site with a shell and a remote, and the server that has a build of the remote from a working copy. */
export async function openSampleSite() {
  const folder = mkdtempSync(join(tmpdir(), 'edited-'));
  writeFileSync(join(folder, 'entry.js'), CODE);
  writeFileSync(join(folder, 'secret.txt'), 'not listed');
  const edited: EditedUnit = { unit: 'news', version: '0.1.0-dev.working-copy', folder, release: buildRelease() };
  const html: RequestListener = (_req, res) =>
    res.writeHead(200, { 'content-type': 'text/html; charset=utf-8', etag: 'x' }).end(HTML);
  const sample = {
    edited,
    /** What the site answers. */
    respond: html,
    /** What the site was asked. */
    asked: [] as { method: string; url: string; headers: IncomingHttpHeaders; body: string }[],
    /** What the terminal shows. */
    said: [] as string[],
  };
  const upstream = createServer((req, res) => {
    void text(req).then((body) => {
      sample.asked.push({ method: req.method ?? '', url: req.url ?? '', headers: req.headers, body });
      sample.respond(req, res);
    });
  });
  const siteUrl = await listen(upstream);
  let url = '';
  const site = openSite(siteUrl, () => url);
  const { server, tell } = serveEdited({
    site,
    edited,
    resolution: RESOLUTION,
    context: 'remotes/news',
    say: (line) => void sample.said.push(line),
  });
  url = await listen(server);
  return Object.assign(sample, {
    url,
    siteUrl,
    upstream,
    tell,
    close() {
      for (const open of [server, upstream]) open.close().closeAllConnections();
      site.close();
      rmSync(folder, { recursive: true });
    },
  });
}

async function listen(server: Server): Promise<string> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
