import { getPriority } from 'node:os';
import { join } from 'node:path';
import { type Release, releaseSchema } from '@app/contracts/release';
import * as v from 'valibot';
import { beforeEach, expect, test } from 'vitest';
import { buildRoute } from '#api/test/delivery/build-release.ts';
import { makeRelease, registers, type ReleaseFiles, withEntry, withFile } from '#api/test/delivery/pack-release.ts';
import { putRelease } from '#api/test/delivery/prerendering-fixture.ts';
import { makeTryEntry } from '#api/test/delivery/render-program.ts';
import { SHELL_BUNDLE } from '#api/test/delivery/server-bundles.ts';
import { makeFolder, writeFiles } from '#api/test/make-folder.ts';
import { createTryEntry } from './try-entry.ts';

const MB = 1024 * 1024;
const NAME = 'tools__0_2_0';
const REMOTE = `{ routes: { '/a': 'page' }, pages: { page: async () => () => null } }`;
/** A container that gives what an expression says. */
const gives = (expression: string) => `var ${NAME} = { init() {}, get: async (name) => ${expression} };`;
const BASE = `document.currentScript.src.replace(/[^/]*$/, '')`;
/** Loads a chunk as the runtimes of webpack and Rspack do. */
const withScript = (base: string) => `
  (() => {
    const base = ${base};
    const load = () => new Promise((resolve, reject) => {
      const script = Object.assign(document.createElement('script'), { src: base + 'static/js/a.js' });
      script.onload = () => resolve(() => ({ default: globalThis.loaded }));
      script.onerror = () => reject(new Error('Loading chunk 1 failed'));
      document.head.appendChild(script);
    });
    globalThis.${NAME} = { init() {}, get: load };
  })()`;
/** Loads modules as Vite's entry does. */
const WITH_MODULES = `{
  const entry = ${BASE} + 'remote.js';
  globalThis.${NAME} = { init: (scope) => import(entry).then((it) => it.init(scope)), get: (name) => import(entry).then((it) => it.get(name)) };
}`;
const MODULES = {
  'remote.js': `
    import { shared } from './static/js/shared.js';
    export const init = (scope) => { shared.react = scope.react['0.0.0'].get()(); };
    export const get = async () => { const loaded = await import('./static/js/a.js'); return () => loaded; };`,
  'static/js/shared.js': 'export const shared = {};',
  'static/js/a.js': `
    import { shared } from './shared.js';
    if (shared.react.name !== 'react of the shell') throw new Error('Another React');
    export default ${REMOTE};`,
};
const CHUNK = { 'static/js/a.js': `globalThis.loaded = ${REMOTE};` };

let folder: string;
let shell: { release: Release; folder: string };
beforeEach(() => {
  folder = makeFolder();
  shell = { release: putRelease(folder, 'shell', '1.0.0', [], {}, SHELL_BUNDLE), folder: join(folder, 'shell/1.0.0') };
});

/** Tries the entry of a release with one page, `/a`. */
function tried(code: string, others: Record<string, string> = {}, tryEntry = makeTryEntry()) {
  const made: ReleaseFiles = withEntry(makeRelease('tools', '0.2.0', { routes: [buildRoute('/a')] }), code);
  const files = Object.entries(others).reduce((all, [name, text]) => withFile(all, name, Buffer.from(text)), made);
  const release = v.parse(releaseSchema, JSON.parse(String(files.get('release.json'))));
  return tryEntry({ release, folder: writeFiles(makeFolder(), files) }, shell);
}

test.each([
  ['has its module with it', gives(`() => ({ default: ${REMOTE} })`), {}],
  ['loads its module by a script', withScript(BASE), CHUNK],
  [
    'loads a module that has its hash in its name, so that releases share it',
    withScript("'/releases/tools/'").replace('a.js', 'a.0a1b2c3d.js'),
    { 'static/js/a.0a1b2c3d.js': CHUNK['static/js/a.js'] },
  ],
  [
    'has a list of chunks of its own',
    `self.webpackChunktools__0_2_0 = [];${gives(`() => ({ default: ${REMOTE} })`)}`,
    {},
  ],
  ['leaves a promise rejected', `Promise.reject(new Error('telemetry'));${withScript(BASE)}`, CHUNK],
  ['loads its module by imports, which get what the shell shares', WITH_MODULES, MODULES],
])('accepts an entry that %s', async (_what, code, files) => {
  expect(await tried(code, files)).toEqual({
    problems: [],
    notices: ['tools@0.2.0 is rendered in the browser alone: it has no server.cjs'],
  });
});

test.each([
  ['is an ES module', 'export const get = 1;', 'remoteEntry.js is an ES module'],
  ['imports others', "import './static/js/a.js';", 'remoteEntry.js is an ES module'],
  ['registers nothing', 'console.log(1);', 'remoteEntry.js registers no container'],
  ['registers what is no container', `var ${NAME} = {};`, 'remoteEntry.js registers no container'],
  ['registers another name', registers('news'), `registers its container as news, and release.json says ${NAME}`],
  [
    'is a broken script',
    `${registers(NAME)}(`,
    'remoteEntry.js cannot be compiled: SyntaxError: Unexpected end of input',
  ],
  [
    'has no module of that name',
    gives(`{ throw new Error('Module "' + name + '" does not exist in container.'); }`),
    'The container exposes no ./remote',
  ],
  ['exposes no default', gives('() => ({ pages: {} })'), './remote needs a default export with routes and pages'],
  [
    'exposes other pages',
    gives(`() => ({ default: { routes: { '/b': 'page' }, pages: { page() {} } } })`),
    './remote has no page for /a, which release.json lists',
  ],
  [
    'looks for its chunks at the root',
    withScript("'/'"),
    "remoteEntry.js looks for /static/js/a.js, which is no file of the release: let the builder's publicPath be 'auto'",
  ],
  [
    'shares the list of its chunks with other versions',
    `self.webpackChunktools = [];${registers(NAME)}`,
    `remoteEntry.js collects its chunks in webpackChunktools, as other versions do in the same page: set output.uniqueName to ${NAME}`,
  ],
])('rejects an entry that %s with a sentence', async (_what, code, problem) => {
  expect((await tried(code, CHUNK)).problems).toEqual([expect.stringContaining(problem)]);
});

test.each([
  ['has a module that needs a browser', gives(`{ matchMedia('print'); }`), 'ReferenceError: matchMedia is not defined'],
  [
    'needs a browser',
    `window.matchMedia('print');${registers(NAME)}`,
    'TypeError: window.matchMedia is not a function',
  ],
  ['reads what a browser keeps', `JSON.parse(document.title ?? '');${registers(NAME)}`, 'SyntaxError: Unexpected end'],
  [
    'needs a browser after it has appended a script of another host',
    `const script = Object.assign(document.createElement('script'), { src: 'https://cdn.example/a.js' });
    const loaded = new Promise((resolve) => { script.onload = script.onerror = resolve; });
    document.head.appendChild(script);
    ${gives(`loaded.then(() => matchMedia('print'))`)}`,
    'ReferenceError: matchMedia is not defined',
  ],
  [
    'asks too late which script it is',
    gives('document.currentScript.src'),
    'TypeError: Cannot read properties of null',
  ],
  ['has its chunks at another host', withScript("'https://cdn.example/'"), 'Error: Loading chunk 1 failed'],
  ['never answers', `${registers(NAME)}for (;;);`, 'took longer than 500 ms', 500],
])('threat 42: accepts an entry that %s, with a notice', async (_what, code, why, maxMs = 10_000) => {
  const { problems, notices } = await tried(code, {}, makeTryEntry({ maxMs }));

  expect(problems).toEqual([]);
  expect(notices[0]).toContain('remoteEntry.js could not be tried without a browser: ');
  expect(notices[0]).toContain(why);
});

test('threat 42: a trial runs with low priority', async () => {
  const { notices } = await tried(gives(`{ throw new Error(process.getBuiltinModule('os').getPriority()); }`));

  expect(notices[0]).toMatch(new RegExp(`: Error: ${Math.min(19, getPriority() + 5)}$`));
});

test.runIf(process.platform === 'linux')(
  'threat 42: a trial discloses no path and no name of the machine',
  async () => {
    const machine = `[process.execPath, process.argv[1], process.getBuiltinModule('os').hostname()]`;
    const { notices } = await tried(gives(`{ throw new Error(${machine}); }`));

    expect(notices[0]).toMatch(/: Error: node,\/try-entry-process\.mjs,localhost$/);
  },
);

/** Two that are too large to be sent both. */
const LARGE_SCRIPTS = {
  'static/js/0.js': ' '.repeat(6 * MB),
  'static/js/a.js': CHUNK['static/js/a.js'].padEnd(6 * MB),
};

test('threat 42: a trial job contains each script once, and at most 10 MB of them', async () => {
  let order = {};
  const tryEntry = createTryEntry((given) => {
    order = given;
    return Promise.resolve({ failure: '' });
  });
  // A name with a hash has two addresses.
  await tried(registers(NAME), { 'static/js/b.0123abcd.js': ' '.repeat(MB), ...LARGE_SCRIPTS }, tryEntry);

  const sent = JSON.stringify(order).length;
  expect(sent).toBeGreaterThan(7 * MB);
  expect(sent).toBeLessThan(7.5 * MB);
});

test('accepts an entry that loads an omitted, too large script, with a notice', async () => {
  const { problems, notices } = await tried(withScript(BASE), LARGE_SCRIPTS);

  expect(problems).toEqual([]);
  expect(notices[0]).toContain('static/js/a.js was not sent, since the scripts of the release are too large');
});

test('threat 42: an error thrown by an entry cannot control its publisher’s terminal', async () => {
  const early = await tried('throw new Error("a\\u001bb")');
  const late = await tried(gives('{ throw new Error("a\\u001bb") }'));

  for (const { notices } of [early, late]) expect(notices[0]).toContain('Error: ab');
});

test('a shell of an earlier build, without a server bundle, tries no entry', async () => {
  const release = putRelease(folder, 'shell', '0.9.0');
  const old = { release: { ...release, files: {} }, folder: join(folder, 'shell/0.9.0') };
  const remote = { release: putRelease(folder, 'tools', '0.3.0', ['/a']), folder: join(folder, 'tools/0.3.0') };

  expect(await makeTryEntry()(remote, old)).toEqual({ problems: [], notices: [] });
});
