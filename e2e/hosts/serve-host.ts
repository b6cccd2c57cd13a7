import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { rspack } from '@rspack/core';

/** Where `node scripts/launch.mjs install-builders` leaves them. */
const BUILT = 'dist/.peers/hosts/built';

/** In which address the hosts look for the unit, and under which name. */
const ADDRESS = 'https://site.example/releases/key-system/1.0.0';
const GLOBAL_NAME = 'key_system_container';

const TYPES: Record<string, string> = { '.js': 'text/javascript', '.css': 'text/css' };

/** What the manifest of a release says, in part. */
interface Manifest {
  metaData: { globalName: string; remoteEntry: { name: string } };
}

export interface Host {
  url: string;
  /** The address of the release that it loads. */
  release: string;
  close: () => Promise<void>;
}

/**
 * Serves a host from an origin of its own. It knows the release of the key system that visitors of a site get, and
 * answers `/api` as the site does.
 * @param builder what has built it; `bare` stands for the plain runtime, which is built here
 * @param site the origin of the site
 */
export async function serveHost(builder: string, site: string): Promise<Host> {
  const html = await (await fetch(`${site}/check-key`)).text();
  const [, version = ''] = /"key-system":\{"version":"([^"]+)"/.exec(html) ?? [];
  const release = `${site}/releases/key-system/${version}`;
  const { metaData } = (await (await fetch(`${release}/mf-manifest.json`)).json()) as Manifest;

  const folder = builder === 'bare' ? await buildBare() : join(BUILT, builder);
  const fit = (file: string) =>
    readFileSync(file, 'utf8')
      .replaceAll(`${ADDRESS}/remoteEntry.js`, `${release}/${metaData.remoteEntry.name}`)
      .replaceAll(ADDRESS, release)
      .replaceAll(GLOBAL_NAME, metaData.globalName)
      // The host's own scripts are other bytes by that.
      .replaceAll(/ integrity="[^"]*"/g, '');
  if (!existsSync(folder)) throw new Error('Run node scripts/launch.mjs install-builders first');
  const template = [join(folder, 'index.html'), join(import.meta.dirname, 'index.html')].find((file) =>
    existsSync(file),
  );
  const script = existsSync(join(folder, 'start.js')) ? '<script type="module" src="/start.js"></script>' : '';
  const document = fit(template ?? '').replace(/<script .*start\.ts.*><\/script>/, script);

  const server = createServer((req, res) => {
    const { pathname, search } = new URL(req.url ?? '/', 'http://host');
    const type = TYPES[extname(pathname)];
    if (/^\/(?:api|content)/.test(pathname)) return void forward(site + pathname + search, res);
    if (!type) return res.writeHead(200, { 'content-type': 'text/html' }).end(document);
    return res.writeHead(200, { 'content-type': type }).end(fit(join(folder, pathname)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    release,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      if (builder === 'bare') rmSync(folder, { recursive: true });
    },
  };
}

async function forward(url: string, res: ServerResponse): Promise<void> {
  const answer = await fetch(url, { headers: { accept: 'application/json' } });
  res.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
  res.end(Buffer.from(await answer.arrayBuffer()));
}

/** Builds the host with the plain bundler, without a federation plugin. */
function buildBare(): Promise<string> {
  const path = mkdtempSync(join(tmpdir(), 'host-'));
  const typescript = {
    test: /\.tsx?$/,
    loader: 'builtin:swc-loader',
    options: {
      jsc: {
        target: 'es2022',
        parser: { syntax: 'typescript', tsx: true },
        transform: { react: { runtime: 'automatic' } },
      },
    },
    type: 'javascript/auto',
  };
  return new Promise((resolve, reject) => {
    rspack(
      {
        mode: 'production',
        context: import.meta.dirname,
        entry: './src/bare.ts',
        target: ['web', 'es2022'],
        output: { path, filename: 'start.js' },
        resolve: { extensions: ['.ts', '.tsx', '.js'] },
        module: { rules: [typescript] },
        optimization: { minimize: false },
        performance: { hints: false },
      },
      (error, stats) => (error || stats?.hasErrors() ? reject(error ?? new Error(stats?.toString())) : resolve(path)),
    );
  });
}
