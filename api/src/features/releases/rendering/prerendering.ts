import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findContractProblem } from '@app/contracts/contract-fit';
import { SERVER_BUNDLE, SHELL, type Release } from '@app/contracts/release';
import type { SiteSettings } from '@app/contracts/site-settings';
import * as v from 'valibot';
import { parseJson } from '#api/parse-json.ts';
import { isListedFile } from '../read-staged.ts';
import type { RenderOrder, RenderPages } from './render-pages.ts';

/** In this folder of the store lie the rendered pages. Nothing serves it, and all of it can be made again. */
const RENDERED = '.rendered';

/** So many remotes in a shell are kept in memory, and as many that could not be rendered. */
const MOST_KEPT = 64;

/** HTML by path. Pages that could not be rendered are not in it. */
const pagesSchema = v.record(v.string(), v.string());
type Pages = v.InferOutput<typeof pagesSchema>;

/** The pages of a remote in a shell; or why they cannot be rendered, a sentence each. */
interface Rendering {
  pages: Pages;
  /** What pages threw, with its stack. */
  problems: string[];
}

/** Renders pages ahead of time, and knows those that were rendered. */
export interface Prerendering {
  /** The HTML of a page, from memory. What is not there is made for those who ask later. */
  find: (shell: Release, remote: Release, path: string) => string | undefined;
  /**
   * Renders all pages of a remote in a shell, if that was not done before.
   * @param folders where the releases lie that the store does not have yet, by release
   * @returns what pages threw; none also when the renderer itself failed
   */
  render: (shell: Release, remote: Release, folders?: ReadonlyMap<Release, string>) => Promise<string[]>;
  /** Renders, or reads, every remote in every shell of those that visitors are going to get. */
  prepare: (served: readonly Release[]) => Promise<void>;
}

interface Deps {
  /** The folder of all releases. */
  folder: string;
  renderPages: RenderPages;
  settings: SiteSettings;
  /** Is told what is wrong with a remote; its pages are then rendered in the browser alone. */
  warn: (problem: { unit: string; version: string; shell: string; problem: string }) => void;
}

/**
 * Creates what renders pages. A page is rendered once per shell, release and settings, for all visitors. The HTML is kept
 * on the disk, under the hashes of all that it was made of, so that a restart and another server of this machine find it.
 */
export function createPrerendering({ folder, renderPages, settings, warn }: Deps): Prerendering {
  const known = new Map<string, Rendering>();
  const underWay = new Map<string, Promise<Rendering>>();

  async function renderNow(key: string, shell: Release, remote: Release, folders?: ReadonlyMap<Release, string>) {
    const stored = await readPages(join(folder, RENDERED, `${key}.json`));
    if (stored) return keep(key, { pages: stored, problems: [] });

    const [shellCode, remoteCode] = await Promise.all(
      [shell, remote].map((release) => readBundle(folders?.get(release) ?? folderOf(folder, release), release)),
    );
    if (shellCode === undefined || remoteCode === undefined) return NOTHING;

    const paths = remote.routes.map(({ path }) => path);
    const answer = await renderPages({
      shell: { ...nameOf(shell), code: shellCode },
      remote: { ...nameOf(remote), code: remoteCode },
      pages: paths,
      settings,
    } satisfies RenderOrder);
    const rendering = readAnswer(answer);
    for (const problem of rendering.problems) warn({ ...nameOf(remote), shell: shell.version, problem });
    if (Object.keys(rendering.pages).length === paths.length) await writePages(folder, key, rendering.pages);
    return keep(key, rendering);
  }

  function keep(key: string, rendering: Rendering): Rendering {
    known.delete(key);
    known.set(key, rendering);
    for (const oldest of known.keys()) {
      if (known.size <= MOST_KEPT) break;
      known.delete(oldest);
    }
    return rendering;
  }

  function renderOnce(shell: Release, remote: Release, folders?: ReadonlyMap<Release, string>): Promise<Rendering> {
    if (!canRender(shell, remote)) return Promise.resolve(NOTHING);
    const key = keyOf(shell, remote, settings);
    const done = known.get(key);
    if (done) return Promise.resolve(done);

    let task = underWay.get(key);
    if (!task) {
      task = renderNow(key, shell, remote, folders).finally(() => underWay.delete(key));
      underWay.set(key, task);
    }
    return task;
  }

  return {
    find(shell, remote, path) {
      if (!canRender(shell, remote)) return undefined;
      const rendering = known.get(keyOf(shell, remote, settings));
      if (!rendering) renderOnce(shell, remote).catch(() => undefined);
      return rendering?.pages[path];
    },

    render: async (shell, remote, folders) => (await renderOnce(shell, remote, folders)).problems,

    async prepare(served) {
      const shells = served.filter(({ unit }) => unit === SHELL);
      const remotes = served.filter(({ unit }) => unit !== SHELL);
      for (const shell of shells)
        for (const remote of remotes)
          // What keeps the renderer from its work, such as a full disk, keeps no move from the visitors.
          await renderOnce(shell, remote).catch((error: unknown) =>
            warn({ ...nameOf(remote), shell: shell.version, problem: String(error) }),
          );
    },
  };
}

const NOTHING: Rendering = { pages: {}, problems: [] };

/** Releases of earlier builds have no server bundle, and what does not fit together cannot be rendered together. */
function canRender(shell: Release, remote: Release): boolean {
  const [shellBundle, remoteBundle] = [shell, remote].map(({ files }) => Object.hasOwn(files, SERVER_BUNDLE));
  return shellBundle === true && remoteBundle === true && !findContractProblem(shell.contract, remote.contract);
}

/** Names what a rendering is made of. */
function keyOf(shell: Release, remote: Release, settings: SiteSettings): string {
  const made = [shell, remote].map(({ files, routes }) => [
    files[SERVER_BUNDLE]?.sha384,
    routes.map(({ path }) => path),
  ]);
  const hash = createHash('sha256')
    .update(JSON.stringify([made, settings]))
    .digest('hex')
    .slice(0, 32);
  return `${remote.unit}@${remote.version}-${shell.version}-${hash}`;
}

function nameOf({ unit, version }: Release): { unit: string; version: string } {
  return { unit, version };
}

function folderOf(folder: string, { unit, version }: Release): string {
  return join(folder, unit, version);
}

/** Reads a server bundle; undefined when it is not what was published. */
async function readBundle(folder: string, { files }: Release): Promise<string | undefined> {
  const path = join(folder, SERVER_BUNDLE);
  return (await isListedFile(path, files[SERVER_BUNDLE])) ? readFile(path, 'utf8') : undefined;
}

function readAnswer(answer: Awaited<ReturnType<RenderPages>>): Rendering {
  if ('problem' in answer) return { pages: {}, problems: [answer.problem] };

  const pages: Pages = {};
  const problems: string[] = [];
  for (const page of answer.rendered)
    if ('html' in page) pages[page.path] = page.html;
    else problems.push(`${page.path} throws: ${page.problem}`);
  return { pages, problems };
}

async function readPages(path: string): Promise<Pages | undefined> {
  try {
    return parseJson(pagesSchema, await readFile(path, 'utf8'));
  } catch {
    return undefined;
  }
}

/** Writes the pages in one step. Without them the pages are rendered again another time. */
async function writePages(folder: string, key: string, pages: Pages): Promise<void> {
  const part = join(folder, RENDERED, `${randomBytes(9).toString('base64url')}.part`);
  try {
    await mkdir(join(folder, RENDERED), { recursive: true });
    await writeFile(part, JSON.stringify(pages));
    await rename(part, join(folder, RENDERED, `${key}.json`));
  } catch {
    await rm(part, { force: true }).catch(() => undefined);
  }
}
