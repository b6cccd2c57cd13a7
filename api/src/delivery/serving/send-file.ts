import { createReadStream } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';
import send from 'send';
import { type Coding, cacheShared, rankCodings } from '#api/foundation/http/headers.ts';
import type { ReleaseHealth } from '#api/delivery/store/release-health.ts';
import { PRECOMPRESSED_VARIANTS } from '#api/delivery/store/release-files.ts';

/** A file that is opened by itself is no page of the site: nothing runs in it, and it sends no forms. */
const FILE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

const YEAR_IN_S = 365 * 24 * 60 * 60;

/** How long our proxy keeps a file: long enough for a crowd, and not much longer than a canary is open uncounted. */
const SHARED_CACHE_TTL_S = 10;

const EXTENSIONS: Record<Coding, string> = { br: '.br', gzip: '.gz', identity: '' };

export interface FileToSend {
  /** A folder without symbolic links in its path. */
  root: string;
  /** The path of the file within it, of plain parts. */
  name: string;
  listed?: { sha384: string; bytes: number } | undefined;
  isSound?: ReleaseHealth['isSound'] | undefined;
}

/** Sends the form that the client prefers, or expands a compressed one. Returns false when the file is missing. */
export async function sendFile(req: Request, res: Response, file: FileToSend): Promise<boolean> {
  res.vary('Accept-Encoding');
  // A client that refuses the plain form still gets it when there is no other.
  for (const coding of [...rankCodings(req.get('accept-encoding')), 'identity'] as const)
    if (await isServable(file, EXTENSIONS[coding])) {
      setHeaders(res, file, coding);
      await sendEncodedVariant(req, res, file.root, file.name + EXTENSIONS[coding]);
      return true;
    }

  for (const [ending, expand] of Object.entries(PRECOMPRESSED_VARIANTS))
    if (file.listed && (await isServable(file, ending))) {
      setHeaders(res, file, 'identity');
      await sendDecompressed(req, res, join(file.root, file.name + ending), expand(), file.listed.bytes);
      return true;
    }
  return false;
}

/** Whether a form of the file exists. Symbolic links in the folder are not followed: they could lead anywhere. */
async function isServable({ root, name, listed, isSound }: FileToSend, ending: string): Promise<boolean> {
  const form = name + ending;
  const path = join(root, form);
  try {
    const found = await stat(path).catch(() => undefined);
    if (!found || (await isSound?.({ path: form, ending, listed }, found)) === false || !(await isWithin(root, form)))
      return false;
    // A truncated file counts as missing.
    return found.isFile() && (ending !== '' || !listed || found.size === listed.bytes);
  } catch {
    return false;
  }
}

/** Whether no symbolic link leads to a file. The root itself may be one, when its files have moved to another disk. */
async function isWithin(root: string, form: string): Promise<boolean> {
  const path = join(root, form);
  const real = await realpath(path);
  return real === path || real === join(await realpath(root), form);
}

function setHeaders(res: Response, { name, listed }: FileToSend, coding: Coding): void {
  res.type(extname(name) || 'application/octet-stream');
  if (coding !== 'identity') res.set('content-encoding', coding);
  res.set('cache-control', listed ? `public, max-age=${YEAR_IN_S}, immutable` : 'public, max-age=0');
  // The policy of a script is that of the worker which it becomes.
  if (!/\.m?js$/.test(name)) res.set({ 'content-security-policy': FILE_POLICY, 'x-robots-tag': 'noindex' });
  if (listed) cacheShared(res, SHARED_CACHE_TTL_S);
  if (listed) res.set('etag', `"${listed.sha384.slice(0, 32)}-${coding}"`);
}

async function sendEncodedVariant(req: Request, res: Response, root: string, path: string): Promise<void> {
  const failed = await new Promise<Error | undefined>((resolve) => {
    res.once('close', () => resolve(undefined));
    send(req, path, { root, cacheControl: false, lastModified: false }).on('error', resolve).pipe(res);
  });
  if (failed) throw failed;
}

async function sendDecompressed(
  req: Request,
  res: Response,
  path: string,
  expand: Transform,
  bytes: number,
): Promise<void> {
  res.set({ 'content-length': String(bytes), 'accept-ranges': 'none' });
  if (req.fresh) {
    res.removeHeader('content-length');
    return void res.status(304).end();
  }
  if (req.method === 'HEAD') return void res.end();

  // A damaged file ends the connection, so that no cache keeps it.
  await pipeline(createReadStream(path), expand, res).catch(() => res.destroy());
}
