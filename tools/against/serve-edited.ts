import { createReadStream } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { HASHED_NAME } from '../../shared/contracts/src/release.ts';
import { resolutionSchema, type Resolution } from '../../shared/contracts/src/resolution.ts';
import * as v from 'valibot';
import { EDITING_PATH, LOCAL_ENTRY } from '../../shared/contracts/src/working-copy.ts';

import {
  type EditedUnit,
  editPage,
  nameBuild,
  readResolution,
  releaseUrl,
  replaceUnit,
  SOURCE_MAPS,
} from './edited-unit.ts';
import { createErrorsAnswer, ERRORS_PATH } from './name-sources.ts';
import type { Site } from './site.ts';

const CLIENT_FILE = join(import.meta.dirname, 'client.js');
const PICTURE_PATTERN = /\.(svg|png|jpe?g|webp|avif|gif)$/;
const CONTENT_TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
};

interface Options {
  site: Site;
  edited: EditedUnit;
  /** What the site serves, as it said last. */
  resolution: Resolution;
  context: string;
  say: (text: string) => void;
}

/**
 * Makes a server that passes everything on to a site, but has one unit from the working copy. Nothing of the working
 * copy goes to the site. The site's own pages may load the unit as well: those of a browser to which QA has said so.
 * @returns the server, which does not listen yet, and what tells open pages that the unit has changed
 */
export function serveEdited({ site, edited, resolution, context, say }: Options): { server: Server; tell: () => void } {
  const listeners = new Set<ServerResponse>();
  let served = resolution;
  const own = releaseUrl(edited);
  /** Files with a hash in their name are asked for without the version. */
  const ofUnit = `/releases/${edited.unit}/`;
  const answerErrors = createErrorsAnswer((path) => {
    const name = findOwn(path);
    if (name === undefined || !isListed(name)) return undefined;
    return { map: join(edited.folder, SOURCE_MAPS, `${name}.map`), context };
  }, say);

  const server = createServer((req, res) => {
    answer(req, res).catch((error: unknown) => {
      if (res.headersSent) return void res.destroy();
      res.writeHead(502, { 'content-type': 'text/plain; charset=utf-8' });
      res.end(`${site.origin} does not answer: ${error instanceof Error ? error.message : String(error)}\n`);
    });
  });
  server.on('upgrade', (req, socket, head) => {
    if (isForThisMachine(req)) site.upgrade(req, socket, head);
    else socket.destroy();
  });

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const address = req.url ?? '/';
    const [path = '/'] = address.split('?');
    if (!isForThisMachine(req)) return endResponse(res, 403);
    const file = findOwn(path);
    if (path.startsWith(`${EDITING_PATH}/`) || file !== undefined) {
      const isOfSite = req.headers.origin === site.origin;
      if (isOfSite) res.setHeader('access-control-allow-origin', site.origin).setHeader('vary', 'origin');
      // Browsers do not say which page a picture is for; that page cannot read it.
      else if (isFromElsewhere(req) && !PICTURE_PATTERN.test(file ?? '')) return endResponse(res, 403);
    }
    if (path === `${EDITING_PATH}/events`) return listen(res);
    if (path === ERRORS_PATH) return answerErrors(req, res);
    if (path === `${EDITING_PATH}/client.js`) return sendFile(res, CLIENT_FILE);
    if (file !== undefined) return sendOwn(res, file);
    // What breaks while it is edited says nothing of a release.
    if (path === '/api/load-reports') return endResponse(res, 204);

    return passOn(req, res, address, path);
  }

  function findOwn(path: string): string | undefined {
    if (path.startsWith(own)) return path.slice(own.length);
    const name = path.startsWith(ofUnit) ? path.slice(ofUnit.length) : '';
    if (name === LOCAL_ENTRY) return edited.release?.entry.file ?? name;
    return HASHED_NAME.test(name) && isListed(name) ? name : undefined;
  }

  function isListed(name: string): boolean {
    return edited.release !== undefined && Object.hasOwn(edited.release.files, name);
  }

  async function passOn(req: IncomingMessage, res: ServerResponse, address: string, path: string): Promise<void> {
    const answered = await site.ask(req, isOnlyHere(path) ? address.replace(path, lenderOf()) : address);
    res.on('close', () => answered.destroy());
    const change = findChange(req, answered, path);
    if (!change) {
      res.writeHead(answered.statusCode ?? 502, site.headersOf(answered));
      await pipeline(answered, res);
      return;
    }

    const text = change(await readBody(answered), address);
    const headers = site.headersOf(answered);
    // They are about the site's text. A browser that kept this one would show an old build.
    for (const name of ['content-encoding', 'content-length', 'etag', 'last-modified'])
      Reflect.deleteProperty(headers, name);
    res.writeHead(answered.statusCode ?? 502, { ...headers, 'cache-control': 'no-store' }).end(text);
  }

  function findChange(req: IncomingMessage, answered: IncomingMessage, path: string) {
    const type = answered.headers['content-type'] ?? '';
    if (req.method !== 'GET') return undefined;
    if (type.startsWith('text/html')) return changePage;
    return path === '/api/federation/resolution' && answered.statusCode === 200 ? changeResolution : undefined;
  }

  function changePage(html: string, address: string): string {
    served = readResolution(html) ?? served;
    return editPage(html, edited, address);
  }

  function changeResolution(json: string): string {
    const said: unknown = JSON.parse(json);
    return v.is(resolutionSchema, said) ? JSON.stringify(replaceUnit(said, edited)) : json;
  }

  /** Whether the working copy has a page at a path, and the site none. */
  function isOnlyHere(path: string): boolean {
    return (
      edited.release?.routes.some((route) => route.path === path) === true &&
      !Object.values(served.units).some(({ routes }) => routes.includes(path))
    );
  }

  /** The page of the site whose HTML is taken for a page that only the working copy has. */
  function lenderOf(): string {
    const units = Object.values(served.units);
    return served.units[edited.unit]?.routes[0] ?? units.flatMap(({ routes }) => routes)[0] ?? '/';
  }

  async function sendOwn(res: ServerResponse, name: string): Promise<void> {
    if (!isListed(name)) return endResponse(res, 404);
    return sendFile(res, join(edited.folder, name));
  }

  function listen(res: ServerResponse): void {
    res.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    res.write(eventOf(edited));
    listeners.add(res);
    res.on('close', () => listeners.delete(res));
  }

  return {
    server,
    tell() {
      for (const res of listeners) res.write(eventOf(edited));
    },
  };
}

function eventOf(edited: EditedUnit): string {
  return `data: ${JSON.stringify({ build: nameBuild(edited), problem: edited.problem ?? '' })}\n\n`;
}

/**
 * Whether the browser asks a name of this machine. Any web page can have a name of its own that leads to this machine,
 * and would then read the working copy, and the site as this machine sees it.
 */
function isForThisMachine({ headers: { host = '' } }: IncomingMessage): boolean {
  return /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i.test(host);
}

/**
 * Whether a page of another origin has caused a request. A script of the working copy runs in the pages of this server
 * and of the site alone.
 */
function isFromElsewhere({ headers }: IncomingMessage): boolean {
  return ['cross-site', 'same-site'].includes(headers['sec-fetch-site']?.toString() ?? '');
}

function endResponse(res: ServerResponse, status: number): void {
  res.writeHead(status).end();
}

async function sendFile(res: ServerResponse, path: string): Promise<void> {
  const type = CONTENT_TYPES[path.split('.').at(-1) ?? ''] ?? 'application/octet-stream';
  res.writeHead(200, { 'content-type': type, 'cache-control': 'no-store' });
  await pipeline(createReadStream(path), res);
}

async function readBody(answered: IncomingMessage): Promise<string> {
  const body = await buffer(answered);
  const encoding = answered.headers['content-encoding'];
  return (encoding === 'br' ? brotliDecompressSync(body) : encoding === 'gzip' ? gunzipSync(body) : body).toString();
}
