import { fork } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';

/** Starts the site on a free port with data of its own. */
export async function startSite(settings = {}) {
  const dataDir = mkdtempSync(join(tmpdir(), 'bench-'));
  const child = fork('dist/api/main.js', {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { ...process.env, NODE_ENV: 'development', PORT: '0', DATA_DIR: dataDir, ...settings },
  });
  const baseUrl = await new Promise((resolve, reject) => {
    child.once('message', (message) => resolve(message.baseUrl));
    child.once('exit', (code) => reject(new Error(`The site ended with ${code}`)));
  });

  return {
    url: baseUrl,
    pid: child.pid,
    async stop() {
      child.kill('SIGTERM');
      await new Promise((resolve) => child.once('exit', resolve));
      rmSync(dataDir, { recursive: true });
    },
  };
}

/** Serves the one bundle in place of the units: the same HTML but for its scripts and styles, the API behind it the site's own. */
export async function startOneBundle(site) {
  const folder = 'dist/.one-bundle';
  const files = new Map(
    readdirSync(folder, { recursive: true })
      .filter((name) => /\.(js|css)$/.test(name))
      .map((name) => [`/one-bundle/${name}`, brotliCompressSync(readFileSync(join(folder, name)))]),
  );
  const named = (pattern) => [...files.keys()].find((name) => pattern.test(name));
  const head = `<link rel="stylesheet" href="${named(/\/shell\..*\.css$/)}">\n<script defer src="${named(/\/shell\..*\.js$/)}"></script>`;

  const server = createServer(async (req, res) => {
    const file = files.get(req.url);
    if (file) {
      res.writeHead(200, {
        'content-encoding': 'br',
        'content-type': req.url.endsWith('.js') ? 'text/javascript' : 'text/css',
      });
      return res.end(file);
    }

    const answer = await fetch(site.url + req.url, { redirect: 'manual' });
    const text = await answer.text();
    const type = answer.headers.get('content-type') ?? 'text/plain';
    res.writeHead(answer.status, { 'content-type': type });
    res.end(
      type.includes('html')
        ? text
            .replace(/<(?:link|script)[^>]*\/releases\/[^>]*>(?:<\/script>)?\n?/g, '')
            .replace('</head>', `${head}\n</head>`)
        : text,
    );
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));

  return {
    url: `http://localhost:${server.address().port}`,
    stop: () => new Promise((resolve) => server.close(resolve)),
  };
}
