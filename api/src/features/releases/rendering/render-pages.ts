import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { KNOWN_DEVICES, type KnownDevice } from '@app/contracts/carried';
import type { SiteSettings } from '@app/contracts/site-settings';
import { promisify } from 'node:util';
import * as v from 'valibot';

/** The server bundle of a release. */
interface Bundle {
  unit: string;
  version: string;
  code: string;
}

/** What the process of the renderer is asked to do. */
export interface RenderOrder {
  shell: Bundle;
  /** The remote whose pages are rendered. */
  remote: Bundle;
  /** The paths of the pages. */
  pages: readonly string[];
  /** How much of a device the addresses name, the least first. Each page is rendered for each. */
  devices: readonly KnownDevice[];
  settings: SiteSettings;
}

const [NO_DEVICE, ...DEVICES] = KNOWN_DEVICES;

/**
 * The HTML of a page by how much of a device its address names. What is the same as without a device is left out.
 */
export const pageHtmlSchema = v.object({
  [NO_DEVICE]: v.string(),
  ...v.entriesFromList(DEVICES, v.optional(v.string())),
});
export type PageHtml = v.InferOutput<typeof pageHtmlSchema>;

const renderedPageSchema = v.union([
  v.object({ path: v.string(), html: pageHtmlSchema }),
  v.object({ path: v.string(), problem: v.string() }),
]);

/** The HTML of a page, or the stack of what it threw. */
export type RenderedPage = v.InferOutput<typeof renderedPageSchema>;

const answerSchema = v.union([v.object({ rendered: v.array(renderedPageSchema) }), v.object({ problem: v.string() })]);

/** Renders all pages of an order. Pages that could not be rendered at all have one `problem` together. */
export type RenderPages = (order: RenderOrder) => Promise<v.InferOutput<typeof answerSchema>>;

interface Options {
  /** The program that the process runs: the built `render-process.ts`. */
  program: string;
  /** How long the process may take, in milliseconds. */
  maxMs?: number;
  /** How much memory it may use, in MB. Its heap is a third of that. */
  maxMb?: number;
  /** How much it may answer, in bytes. */
  maxBytes?: number;
}

/** Older Node has the permission model under an older name. */
const PERMISSION_FLAG = process.allowedNodeEnvironmentFlags.has('--permission')
  ? '--permission'
  : '--experimental-permission';

/** How much of what a process says of its end is told, in bytes. */
const MOST_SAID = 4096;

/** A namespace with no network in it. */
const NO_NETWORK = ['unshare', '--map-root-user', '--net'];

/**
 * Makes the function that renders pages in a process of their own, which is started for each order and ended after it.
 * The code of a release is code of a team: the process has an empty environment and an empty folder, can read nothing
 * but its own program, start nothing and write nothing (Node's permission model), and has no network where the system
 * lets it have none. A process that takes too long, grows too large or answers too much is killed.
 */
export function createRenderPages({
  program,
  maxMs = 10_000,
  maxMb = 768,
  maxBytes = 16 * 1024 * 1024,
}: Options): RenderPages {
  return async (order) => {
    const folder = await mkdtemp(join(tmpdir(), 'render-'));
    try {
      const [command = '', ...args] = [
        ...(await confine(maxMb)),
        process.execPath,
        `--max-old-space-size=${Math.floor(maxMb / 3)}`,
        PERMISSION_FLAG,
        `--allow-fs-read=${program}`,
        '--no-warnings',
        program,
      ];
      const child = spawn(command, args, {
        cwd: folder,
        env: { NODE_ENV: 'production' },
        stdio: ['pipe', 'ignore', 'pipe', 'pipe'],
        timeout: maxMs,
        killSignal: 'SIGKILL',
      });
      return await converse(child, order, maxBytes);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  };
}

/** Gives an order to a process, and waits for its answer and its end. */
function converse(child: ChildProcess, order: RenderOrder, maxBytes: number): ReturnType<RenderPages> {
  const { stdin, stderr, stdio } = child;
  const answer = collect(stdio[3], maxBytes, () => child.kill('SIGKILL'));
  const said = collect(stderr, MOST_SAID);
  // A process that has ended reads no more; how it ended says what was wrong.
  stdin?.on('error', () => undefined).end(JSON.stringify(order));

  return new Promise((resolve) => {
    child.on('error', (error) => resolve({ problem: `The renderer did not start: ${error.message}` }));
    child.on('close', (code, signal) =>
      resolve(read(answer()) ?? { problem: `The renderer was ended by ${signal ?? `code ${code}`}. ${said()}`.trim() }),
    );
  });
}

/** The commands of the system that confine what follows them: those of util-linux that work here. */
async function confine(maxMb: number): Promise<string[]> {
  const commands = [NO_NETWORK, ['prlimit', `--data=${maxMb * 1024 * 1024}`]];
  const working = await Promise.all(commands.map(async (command) => ((await works(command)) ? command : [])));
  return working.flat();
}

async function works([command = '', ...args]: readonly string[]): Promise<boolean> {
  try {
    await promisify(execFile)(command, [...args, 'true']);
    return true;
  } catch {
    return false;
  }
}

/**
 * Collects what a process writes.
 * @param maxBytes what is beyond is dropped, and `onTooMuch` is called once
 * @returns gives the text so far
 */
function collect(
  stream: Readable | Writable | null | undefined,
  maxBytes: number,
  onTooMuch?: () => void,
): () => string {
  const chunks: Buffer[] = [];
  let bytes = 0;
  stream?.on('data', (chunk: Buffer) => {
    const isFull = bytes > maxBytes;
    bytes += chunk.length;
    if (bytes <= maxBytes) chunks.push(chunk);
    else if (!isFull) onTooMuch?.();
  });
  // What a killed process leaves unsaid is no failure of this one.
  stream?.on('error', () => undefined);
  return () => Buffer.concat(chunks).toString('utf8');
}

/** Reads an answer; undefined when it is none, or not whole. */
function read(text: string): v.InferOutput<typeof answerSchema> | undefined {
  try {
    return v.parse(answerSchema, JSON.parse(text));
  } catch {
    return undefined;
  }
}
