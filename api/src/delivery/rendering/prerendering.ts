import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { KNOWN_DEVICES, type KnownDevice } from '@app/contracts/device-params';
import { type Release, SERVER_BUNDLE, SERVER_MAP } from '@app/contracts/release';
import type { SiteSettings } from '@app/contracts/site-settings';
import type { Unit } from '@app/contracts/unit';
import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import { readListedFile } from '#api/delivery/store/release-files.ts';
import type { ReleaseStore } from '#api/delivery/store/release-store.ts';
import { openRenderedStore, type Pages, type RenderingName } from '#api/delivery/store/rendered-store.ts';
import { withTimeout } from '#api/foundation/jobs/with-timeout.ts';
import type { Env } from '#api/foundation/settings/env.ts';
import { renderers, renderings } from '#api/foundation/telemetry/metrics.ts';
import { createRenderPages, type RenderAnswer, type RenderPages } from './render-pages.ts';
import { presentStack, createRunConfined } from './run-confined.ts';
import { canRender, listPairs, nameOfPair, type ShellRemotePair } from './shell-remote-pairs.ts';
import { createTryEntry, type TryEntry } from './try-entry.ts';

/** How much HTML is kept in memory, in characters. All pages of this site are 1.5 million. */
const MAX_ENTRIES = 50_000_000;

/** The size of a rendering without its HTML, in characters. */
const ENTRY_OVERHEAD = 2000;

const MAX_CONCURRENT_RENDERERS = 2;

/** How many renderings that requests have started may be under way: visitors with pins ask for pairs of their own. */
const MAX_REQUESTED = 8;

/** After how long a failed rendering is tried again, when a request needs it. */
const RETRY_MS = 10 * 60 * 1000;

const RENDER_TIMEOUT_MS = 12_000;

/** A page that throws; all pages of a remote when it has no path. */
export interface RenderError extends ShellRemotePair {
  path?: string;
  stack: string;
}

interface Rendering {
  pages: Pages;
  thrown: RenderError[];
  failure?: string;
  /** When it is tried again; undefined when all pages were rendered. */
  retryAt?: number;
}

export type Prerendering = ReturnType<typeof createPrerendering>;

export interface PrerenderingDeps {
  releases: Pick<ReleaseStore, 'folder' | 'renderedFolder'>;
  renderPages: RenderPages;
  tryEntry?: TryEntry | undefined;
  settings: SiteSettings;
  /** Called with the problem of a remote whose pages render in the browser alone. */
  warn: (problem: { unit: string; version: string; shell: string; problem: string }) => void;
  now?: () => number;
  /** How long a publication or a change of a channel waits. Pages that are not rendered by then are not judged. */
  renderTimeoutMs?: number;
}

/** A page is rendered once for all visitors, and kept on the disk for a restart and for other processes. */
export function createPrerendering({
  releases: { folder, renderedFolder },
  renderPages,
  tryEntry,
  settings,
  warn,
  now = Date.now,
  renderTimeoutMs = RENDER_TIMEOUT_MS,
}: PrerenderingDeps) {
  const store = openRenderedStore(renderedFolder);
  const limit = pLimit(MAX_CONCURRENT_RENDERERS);
  const known = new LRUCache<string, Rendering>({ maxSize: MAX_ENTRIES });
  const underWay = new Map<string, Promise<Rendering>>();

  async function renderNow(pair: ShellRemotePair, name: RenderingName, folders?: ReadonlyMap<Release, string>) {
    const stored = await store.read(name);
    if (stored) return { pages: stored, thrown: [] };

    const answer = await limit(() => countRunningRenderer(() => render(pair, folders)));
    const rendering = readAnswer(answer, pair, now() + RETRY_MS);
    countRendering(rendering);
    if (rendering.retryAt === undefined) await store.write(name, rendering.pages);
    return rendering;
  }

  async function render({ shell, remote, language }: ShellRemotePair, folders?: ReadonlyMap<Release, string>) {
    const codes = [];
    const translations: string[] = [];
    for (const release of [shell, remote]) {
      const staged = folders?.get(release);
      const read = async (name: string) =>
        (staged && (await readListedFile(staged, release, name))) ??
        (await readListedFile(join(folder, release.unit, release.version), release, name));
      const code = await read(SERVER_BUNDLE);
      if (code === undefined) return { failure: `The server bundle of ${release.unit} is not what was published` };
      codes.push({ unit: release.unit, version: release.version, code, map: await read(SERVER_MAP) });

      const { script } = release.translations?.[language ?? ''] ?? {};
      const texts = script && (await read(script));
      if (script && texts === undefined) return { failure: `${script} of ${release.unit} is not what was published` };
      if (texts) translations.push(texts);
    }
    const [shellCode, remoteCode] = codes;
    if (!shellCode || !remoteCode) throw new Error('A pair has two releases');
    const pages = pathsOf(remote);
    const order = { shell: shellCode, remote: remoteCode, translations, pages, devices: KNOWN_DEVICES, settings };
    return renderPages(order);
  }

  /** @param isAsked whether the result is needed now, so that an earlier failure is tried again */
  function renderOnce(
    pair: ShellRemotePair,
    { isAsked = false, folders }: { isAsked?: boolean; folders?: ReadonlyMap<Release, string> | undefined } = {},
  ): Promise<Rendering> {
    if (!canRender(pair)) return Promise.resolve(EMPTY_RENDERING);
    const name = nameRendering(pair, settings);
    const done = known.get(name.hash);
    const isTriedAgain = done?.retryAt !== undefined && (isAsked || done.retryAt <= now());
    if (done && !isTriedAgain) return Promise.resolve(done);

    let task = underWay.get(name.hash);
    if (!task) {
      task = renderNow(pair, name, folders)
        .then((rendering) => keep(pair, name, rendering))
        .finally(() => underWay.delete(name.hash));
      underWay.set(name.hash, task);
    }
    return task;
  }

  function keep(
    pair: ShellRemotePair,
    { unit, version, shellVersion: shell, hash }: RenderingName,
    rendering: Rendering,
  ) {
    const { thrown, failure } = rendering;
    for (const problem of [
      ...thrown.map(describeRenderError),
      ...(failure === undefined ? [] : [describeFailure(pair, failure)]),
    ])
      warn({ unit, version, shell, problem });
    known.set(hash, rendering, { size: sizeOfRendering(rendering) });
    return rendering;
  }

  return {
    tryEntry,

    /** The HTML of a page, from memory. When it is missing, a rendering starts for later requests. */
    find(
      this: void,
      shell: Release,
      remote: Release,
      path: string,
      device: KnownDevice,
      language?: string,
    ): string | undefined {
      const pair = { shell, remote, ...(language && { language }) };
      if (!canRender(pair)) return undefined;
      const rendering = known.get(nameRendering(pair, settings).hash);
      const isWanted = !rendering || (rendering.retryAt !== undefined && rendering.retryAt <= now());
      if (isWanted && underWay.size < MAX_REQUESTED) void renderOnce(pair);
      const page = rendering?.pages[path];
      return page?.[device] ?? page?.none;
    },

    /** @param folders where releases lie that the store does not have yet */
    async renderPairs(
      this: void,
      pairs: readonly ShellRemotePair[],
      folders?: ReadonlyMap<Release, string>,
    ): Promise<{ thrown: RenderError[]; failures: string[] }> {
      const tasks = pairs.map((pair) => renderOnce(pair, { isAsked: true, folders }));
      const renderings = await Promise.all(
        tasks.map((task) => withTimeout(renderTimeoutMs, task, TIMED_OUT_RENDERING)),
      );
      return {
        thrown: renderings.flatMap(({ thrown }) => thrown),
        failures: renderings.flatMap(({ failure }, nth) => {
          const pair = pairs[nth];
          return pair && failure !== undefined ? [describeFailure(pair, failure)] : [];
        }),
      };
    },

    /** @param timeoutMs the rest is then done in the background, and pages render in the browser until it is */
    async prepare(this: void, served: readonly Release[], timeoutMs: number): Promise<void> {
      const units = new Map<Unit, Release[]>();
      for (const release of served) units.set(release.unit, [...(units.get(release.unit) ?? []), release]);
      const all = Promise.all(listPairs(units).map((pair) => renderOnce(pair)));
      await withTimeout(timeoutMs, all, undefined);
    },
  };
}

const EMPTY_RENDERING: Rendering = { pages: {}, thrown: [] };
const TIMED_OUT_RENDERING: Rendering = { pages: {}, thrown: [], failure: 'It took too long.' };

export function describeRenderError({ path, stack, ...pair }: RenderError): string {
  return `${path ?? 'Every page'} of ${nameOfPair(pair)} throws: ${stack}`;
}

function describeFailure(pair: ShellRemotePair, failure: string): string {
  return `${nameOfPair(pair)} is rendered in the browser alone. ${failure}`;
}

function pathsOf({ routes }: Release): string[] {
  return routes.map(({ path }) => path);
}

function sizeOfRendering({ pages, thrown }: Rendering): number {
  const html = Object.values(pages).flatMap((page) => KNOWN_DEVICES.map((device) => page[device] ?? ''));
  return [...html, ...thrown.map(({ stack }) => stack)].reduce((sum, { length }) => sum + length, ENTRY_OVERHEAD);
}

/** A hash of all inputs of a rendering. */
function nameRendering({ shell, remote, language }: ShellRemotePair, settings: SiteSettings): RenderingName {
  const made = [shell, remote].map(({ unit, version, files, translations }) => [
    ...[unit, version, files[SERVER_BUNDLE]?.sha384],
    ...[files[translations?.[language ?? '']?.script ?? '']?.sha384 ?? []].flat(),
  ]);
  const hash = createHash('sha256')
    .update(JSON.stringify([made, pathsOf(remote), KNOWN_DEVICES, settings]))
    .digest('hex')
    .slice(0, 32);
  return { unit: remote.unit, version: remote.version, shellVersion: shell.version, hash };
}

/** Takes from an answer only what was ordered, because it comes from the code of a release. */
function readAnswer(answer: RenderAnswer, pair: ShellRemotePair, retryAt: number): Rendering {
  if ('failure' in answer) return { pages: {}, thrown: [], failure: presentStack(answer.failure), retryAt };
  if ('problem' in answer) return { pages: {}, thrown: [{ ...pair, stack: presentStack(answer.problem) }], retryAt };

  // Of several pages for one path the first counts.
  const rendered = new Map(answer.rendered.toReversed().map((page) => [page.path, page]));
  const pages: Pages = {};
  const thrown: RenderError[] = [];
  for (const path of pathsOf(pair.remote)) {
    const page = rendered.get(path);
    if (page && 'html' in page) pages[path] = page.html;
    else thrown.push({ ...pair, path, stack: presentStack(page?.problem ?? 'nothing, but has no HTML') });
  }
  return { pages, thrown, ...(thrown.length > 0 && { retryAt }) };
}

async function countRunningRenderer<Result>(render: () => Promise<Result>): Promise<Result> {
  renderers.inc();
  try {
    return await render();
  } finally {
    renderers.dec();
  }
}

function countRendering({ thrown, failure }: { thrown: readonly unknown[]; failure?: string }): void {
  const outcome = thrown.length > 0 ? 'thrown' : 'rendered';
  renderings.inc({ outcome: failure === undefined ? outcome : 'failed' });
}

/** All programs of this machine open it with the same settings, so that one finds what another has rendered. */
export function openPrerendering(
  env: Pick<Env, 'NODE_ENV'>,
  programs: string,
  { releases, settings, warn }: Pick<PrerenderingDeps, 'releases' | 'settings' | 'warn'>,
): Prerendering {
  const mustConfine = env.NODE_ENV === 'production';
  return createPrerendering({
    releases,
    warn,
    renderPages: createRenderPages({ program: join(programs, 'render.js'), mustConfine }),
    tryEntry: createTryEntry(createRunConfined({ program: join(programs, 'try-entry.js'), mustConfine })),
    settings,
  });
}
