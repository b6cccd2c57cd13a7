import { cpSync, existsSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { brotliCompressSync, constants } from 'node:zlib';
import { startSite, type BenchServer } from '../measure/servers.ts';

const SERVER_BUNDLE = 'server.cjs';
const CLIENT_RENDERED = 'dist/.client-rendered';
const ONE_BUNDLE = 'dist/.one-bundle';

/** All that loads scripts, or prepares for them. What is data stays. */
const SCRIPTS =
  /<script(?![^>]*type="application\/json")[^>]*>[^]*?<\/script>\n?|<link[^>]*(?:as="script"|modulepreload)[^>]*>\n?/g;
/** All that a unit brings: its scripts, stylesheets and styles. Fonts stay. */
const OF_UNITS =
  /<style data-href[^>]*>[^]*?<\/style>\n?|<link(?![^>]*as="font")[^>]*\/releases\/[^>]*>\n?|<script[^>]*src="\/releases\/[^>]*><\/script>\n?/g;

/**
 * Starts the site as it is without pages that are rendered ahead of time: the same build without its server bundles,
 * whose pages make their first call themselves, once their code runs.
 */
export async function startClientRendered(): Promise<BenchServer> {
  rmSync(CLIENT_RENDERED, { recursive: true, force: true });
  for (const target of readdirSync('dist')) {
    if (target.startsWith('.')) continue;
    const copy = join(CLIENT_RENDERED, 'dist', target);
    cpSync(join('dist', target), copy, { recursive: true });
    for (const version of readdirSync(copy)) withoutRendering(join(copy, version));
  }
  symlinkSync(resolve('api'), join(CLIENT_RENDERED, 'api'));
  return startSite({}, { root: CLIENT_RENDERED });
}

function withoutRendering(folder: string): void {
  const manifest = join(folder, 'release.json');
  if (!existsSync(manifest)) return;

  const release = JSON.parse(readFileSync(manifest, 'utf8')) as {
    files: Record<string, unknown>;
    routes: { firstCall?: string }[];
  };
  delete release.files[SERVER_BUNDLE];
  for (const route of release.routes) delete route.firstCall;
  writeFileSync(manifest, JSON.stringify(release));
  rmSync(join(folder, SERVER_BUNDLE), { force: true });
}

/** Serves the HTML and the styles of a site without any script: the least that shows the page. */
export function startFloor(site: BenchServer): Promise<BenchServer> {
  return startBefore(site, (html) => html.replace(SCRIPTS, ''), new Map());
}

/** Serves the client-rendered site with the scripts and styles of the one bundle in place of those of the units. */
export function startOneBundle(clientRendered: BenchServer): Promise<BenchServer> {
  const files = new Map(
    readdirSync(ONE_BUNDLE, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(js|css)$/.test(name))
      .map((name) => [`/one-bundle/${name}`, compress(readFileSync(join(ONE_BUNDLE, name)))]),
  );
  const named = (pattern: RegExp) => [...files.keys()].find((name) => pattern.test(name));
  const head = `<link rel="stylesheet" href="${named(/\/shell\..*\.css$/)}">\n<script defer src="${named(/\/shell\..*\.js$/)}"></script>`;
  return startBefore(
    clientRendered,
    (html) => html.replace(OF_UNITS, '').replace('</head>', `${head}\n</head>`),
    files,
  );
}

/**
 * Starts a server before a site. It changes the HTML, serves some files of its own, and passes everything else on.
 * @param files address → content in brotli
 */
async function startBefore(
  site: BenchServer,
  change: (html: string) => string,
  files: ReadonlyMap<string, Buffer>,
): Promise<BenchServer> {
  const server = createServer((req, res) => {
    const file = files.get(req.url ?? '');
    if (file) sendFile(req.url ?? '', file, res);
    else void passOn(req, res);
  });
  const pages = new Map<string, Buffer>();

  async function passOn(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const isPage = req.headers.accept?.includes('text/html') ?? false;
    const headers = { ...req.headers, host: new URL(site.url).host };
    const given = await new Promise<IncomingMessage>((resolve, reject) => {
      const asked = request(site.url + req.url, {
        method: req.method ?? 'GET',
        headers: isPage ? { ...headers, 'accept-encoding': 'identity' } : headers,
      });
      req.pipe(asked).on('response', resolve).on('error', reject);
    });
    if (!isPage || given.statusCode !== 200) {
      res.writeHead(given.statusCode ?? 502, given.headers);
      given.pipe(res);
      return;
    }

    const html = change((await buffer(given)).toString('utf8'));
    let page = pages.get(html);
    if (!page) pages.set(html, (page = compress(Buffer.from(html))));
    // The policy of the site does not know what was put into the page.
    delete given.headers['content-security-policy'];
    res.writeHead(200, { ...given.headers, 'content-encoding': 'br', 'content-length': page.length });
    res.end(page);
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

function sendFile(path: string, content: Buffer, res: ServerResponse): void {
  res.writeHead(200, {
    'content-encoding': 'br',
    'content-length': content.length,
    'content-type': path.endsWith('.js') ? 'text/javascript' : 'text/css',
    'cache-control': 'public, max-age=31536000, immutable',
  });
  res.end(content);
}

function compress(content: Buffer): Buffer {
  return brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: content.length } });
}
