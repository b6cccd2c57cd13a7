import { fork } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';

/** A server that the bench measures. */
export interface BenchServer {
  url: string;
  stop(): Promise<void>;
}

/**
 * Starts the site on a free port, with its own data.
 * @param root the folder of the sources whose build is started
 */
export async function startSite(
  settings: Record<string, string> = {},
  root = '.',
): Promise<BenchServer & { pid: number; dataDir: string }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'bench-'));
  const child = fork('dist/api/main.js', {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { ...process.env, NODE_ENV: 'development', PORT: '0', DATA_DIR: dataDir, ...settings },
  });
  const baseUrl = await new Promise<string>((resolve, reject) => {
    child.once('message', (message: { baseUrl: string }) => resolve(message.baseUrl));
    child.once('exit', (code) => reject(new Error(`The site ended with ${code}`)));
  });

  return {
    url: baseUrl,
    pid: child.pid ?? 0,
    dataDir,
    async stop() {
      child.kill('SIGTERM');
      await new Promise((resolve) => child.once('exit', resolve));
      rmSync(dataDir, { recursive: true });
    },
  };
}

/**
 * Starts a server for the one bundle. It serves the site's HTML with the scripts and styles of the bundle, and passes
 * all other requests on to the site.
 */
export async function startOneBundle(site: BenchServer): Promise<BenchServer> {
  const folder = 'dist/.one-bundle';
  const files = new Map(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(js|css)$/.test(name))
      .map((name) => [`/one-bundle/${name}`, brotliCompressSync(readFileSync(join(folder, name)))]),
  );
  const named = (pattern: RegExp) => [...files.keys()].find((name) => pattern.test(name));
  const head = `<link rel="stylesheet" href="${named(/\/shell\..*\.css$/)}">\n<script defer src="${named(/\/shell\..*\.js$/)}"></script>`;

  const server = createServer((req, res) => void answer(req.url ?? '', res));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  async function answer(path: string, res: ServerResponse): Promise<void> {
    const file = files.get(path);
    if (file) {
      res.writeHead(200, {
        'content-encoding': 'br',
        'content-type': path.endsWith('.js') ? 'text/javascript' : 'text/css',
      });
      res.end(file);
      return;
    }

    const given = await fetch(site.url + path, { redirect: 'manual' });
    const text = await given.text();
    const type = given.headers.get('content-type') ?? 'text/plain';
    res.writeHead(given.status, { 'content-type': type });
    res.end(type.includes('html') ? withBundle(text) : text);
  }

  function withBundle(html: string): string {
    return html
      .replace(/<(?:link|script)[^>]*\/releases\/[^>]*>(?:<\/script>)?\n?/g, '')
      .replace('</head>', `${head}\n</head>`);
  }

  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
