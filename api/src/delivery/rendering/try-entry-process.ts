import { createReadStream, writeFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { compileFunction, Script, SourceTextModule } from 'node:vm';
import type { EntryAnswer, EntryOrder } from './try-entry.ts';

/** The file descriptor for the answer. Console output of an entry goes elsewhere. */
const ANSWER_FD = 3;

/** How much of an error is answered, in characters. */
const MAX_ANSWERED = 500;

const EXPOSED_MODULE = './remote';

const SITE_ORIGIN = 'https://site.example';
const PAGE_URL = `${SITE_ORIGIN}/page`;

interface SharedPackage {
  version?: string;
  lib: () => unknown;
}

interface Container {
  init: (scope: object, initScope: readonly unknown[]) => unknown;
  get: (exposed: string) => Promise<() => { default?: unknown }>;
}

class UnusableEntryError extends Error {}

/**
 * Runs the entry of a remote as a page does, asks its container for what it exposes, and answers with a sentence about
 * what a page would miss. This is the whole program of the process. There is no browser: a document that is just enough
 * for the containers of the usual builders loads scripts of the release alone.
 */
async function main(): Promise<void> {
  const order = JSON.parse(await text(createReadStream('', { fd: 0 }))) as EntryOrder & { maxMs: number };
  // The server may have died, and then does not end it.
  setTimeout(process.exit.bind(process, 1), order.maxMs);
  // Before there is a window: it is the shell for servers.
  const scope = shareScopeOf(order.shell.code);
  const browser = stubBrowserGlobals(order);
  try {
    await tryEntry(order, scope, browser);
    writeAnswer({});
  } catch (error) {
    const { lacks } = browser;
    if (Object.keys(lacks).length > 0) writeAnswer(lacks);
    else
      writeAnswer(error instanceof UnusableEntryError ? { problem: error.message } : { unknown: describeError(error) });
  }
}

async function tryEntry(
  { file, globalName, paths }: EntryOrder,
  scope: object,
  { compileEntry }: ReturnType<typeof stubBrowserGlobals>,
): Promise<void> {
  const before = new Set(Object.getOwnPropertyNames(globalThis));
  let run: () => void;
  try {
    run = compileEntry();
  } catch (error) {
    const said = describeError(error);
    throw new UnusableEntryError(
      /import|export/.test(said)
        ? `${file} is an ES module; the site loads entries as plain scripts, which register a global`
        : `${file} cannot be compiled: ${said}`,
    );
  }
  // What it throws then may need a browser.
  run();

  const made = Object.getOwnPropertyNames(globalThis).filter((name) => !before.has(name));
  const container = containerAt(globalName);
  if (!container) {
    const other = made.find((name) => containerAt(name));
    throw new UnusableEntryError(
      other === undefined
        ? `${file} registers no container`
        : `${file} registers its container as ${other}, and release.json says ${globalName}`,
    );
  }
  const own = lettersOf(globalName);
  const list = made.find((name) => /^(?:webpack|rspack)Chunk/.test(name) && !lettersOf(name).endsWith(own));
  if (list !== undefined)
    throw new UnusableEntryError(
      `${file} collects its chunks in ${list}, as other versions do in the same page: set output.uniqueName to ${globalName}`,
    );

  await container.init(scope, []);
  const factory = await container.get(EXPOSED_MODULE).catch((error: unknown) => {
    if (/does not exist in container/.test(String(error)))
      throw new UnusableEntryError(`The container exposes no ${EXPOSED_MODULE}`);
    throw error;
  });
  const remote = factory().default as { routes?: Record<string, string>; pages?: Record<string, unknown> } | undefined;
  if (typeof remote?.routes !== 'object' || typeof remote.pages !== 'object')
    throw new UnusableEntryError(`${EXPOSED_MODULE} needs a default export with routes and pages`);
  for (const path of paths)
    if (typeof remote.pages[remote.routes[path] ?? ''] !== 'function')
      throw new UnusableEntryError(
        `${EXPOSED_MODULE} has no page for ${path}, which release.json lists: name it in routes and pages`,
      );
}

function containerAt(name: string): Container | undefined {
  const found = Reflect.get(globalThis, name) as Partial<Container> | null | undefined;
  return typeof found?.get === 'function' && typeof found.init === 'function' ? (found as Container) : undefined;
}

/** Builders leave other characters out of the names of globals. */
function lettersOf(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9]/g, '');
}

/** The packages that the shell shares, in the form that containers read. */
function shareScopeOf(code: string): object {
  const module = { exports: {} as { sharedPackages?: Record<string, SharedPackage> } };
  const run = compileFunction(code, ['module', 'exports', 'require']) as (...given: unknown[]) => void;
  run(module, module.exports, (name: string) => {
    throw new Error(`The shell has no package ${name}`);
  });
  return Object.fromEntries(
    Object.entries(module.exports.sharedPackages ?? {}).map(([name, { version = '0.0.0', lib }]) => [
      name,
      {
        [version]: {
          version,
          from: 'shell',
          lib,
          get: () => lib,
          loaded: true,
          eager: true,
          scope: ['default'],
          useIn: [],
          deps: [],
          strategy: 'loaded-first',
          shareConfig: { singleton: true, requiredVersion: `^${version}` },
        },
      },
    ]),
  );
}

type Loading = Record<string, unknown> & { onload?: (event: object) => void; onerror?: (event: object) => void };

function stubBrowserGlobals({ file, address, names, scripts }: EntryOrder) {
  const lacks: EntryAnswer = {};
  const modules = new Map<string, SourceTextModule>();
  let linking: Promise<unknown> = Promise.resolve();

  function read({ origin, pathname, href }: URL): string {
    const name = origin === SITE_ORIGIN ? names[pathname] : undefined;
    const found = scripts[name ?? ''];
    if (found !== undefined) return found;

    if (name !== undefined) lacks.unknown = `${name} was not sent, since the scripts of the release are too large`;
    else if (origin === SITE_ORIGIN)
      lacks.problem ??= `${file} looks for ${pathname}, which is no file of the release: let the builder's publicPath be 'auto'`;
    throw new Error(`There is no ${href}`);
  }

  function moduleAt(url: URL): SourceTextModule {
    const known = modules.get(url.href);
    if (known) return known;

    const made = new SourceTextModule(read(url), {
      identifier: url.href,
      initializeImportMeta: (meta) => Object.assign(meta, { url: url.href }),
      importModuleDynamically: (specifier) => importAt(specifier, url.href),
    });
    modules.set(url.href, made);
    return made;
  }

  async function importAt(specifier: string, from: string): Promise<SourceTextModule> {
    const found = moduleAt(new URL(specifier, from));
    // Two that share a module cannot be linked at once.
    linking = linking.then(() =>
      found.status === 'unlinked'
        ? found.link((inner, { identifier }) => moduleAt(new URL(inner, identifier)))
        : undefined,
    );
    await linking;
    await found.evaluate();
    return found;
  }

  function compile(element: Loading): () => void {
    const url = new URL(String(element['src']), PAGE_URL);
    const script = new Script(read(url), {
      filename: url.href,
      importModuleDynamically: (specifier) => importAt(specifier, url.href),
    });
    return () => {
      document.currentScript = element;
      try {
        script.runInThisContext();
      } finally {
        document.currentScript = null;
      }
    };
  }

  function append<Element extends Loading>(element: Element): Element {
    // Later, as in a browser: whoever appends it sets what is called then.
    setTimeout(() => {
      try {
        if (element['tagName'] === 'SCRIPT') compile(element)();
        element.onload?.({ type: 'load', target: element });
      } catch {
        element.onerror?.({ type: 'error', target: element });
      }
    });
    return element;
  }

  function createElement(name: string): Loading {
    const element: Loading = {
      tagName: name.toUpperCase(),
      style: {},
      dataset: {},
      parentNode: { removeChild: noop, insertBefore: append },
      setAttribute: (attribute: string, value: string) => void (element[attribute] = value),
      getAttribute: (attribute: string) => element[attribute] ?? null,
      addEventListener: (type: string, call: unknown) => void (element[`on${type}`] = call),
      removeEventListener: noop,
      remove: noop,
      appendChild: append,
      append,
    };
    return element;
  }

  const root = createElement('html');
  const listening = { addEventListener: noop, removeEventListener: noop, dispatchEvent: noop };
  const none = { getItem: () => null, setItem: noop, removeItem: noop };
  const document: Record<string, unknown> = {
    currentScript: null,
    defaultView: globalThis,
    head: root,
    body: root,
    documentElement: root,
    baseURI: PAGE_URL,
    readyState: 'complete',
    createElement,
    getElementsByTagName: (name: string) => (/^(?:head|body|html)$/.test(name) ? [root] : []),
    getElementById: () => null,
    querySelector: () => null,
    querySelectorAll: () => [],
    ...listening,
  };
  for (const [name, value] of Object.entries({
    window: globalThis,
    self: globalThis,
    document,
    location: new URL(PAGE_URL),
    localStorage: none,
    sessionStorage: none,
    ...listening,
  }))
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });

  const entry = Object.assign(createElement('script'), { src: new URL(address, PAGE_URL).href });
  return { lacks, compileEntry: () => compile(entry) };
}

function noop(): void {}

/** Answers with one line. After it this process is no longer needed. */
function writeAnswer(value: EntryAnswer): void {
  writeFileSync(ANSWER_FD, `${JSON.stringify(value)}\n`);
}

function describeError(error: unknown): string {
  return (error instanceof Error ? `${error.name}: ${error.message}` : String(error)).slice(0, MAX_ANSWERED);
}

process.on('unhandledRejection', () => undefined);
main().catch((error: unknown) => writeAnswer({ unknown: describeError(error) }));
