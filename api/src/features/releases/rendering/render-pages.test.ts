import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeFolder } from '#api/test/make-folder.ts';
import { makeRenderProgram } from '#api/test/render-program.ts';
import { remoteBundle, SHELL_BUNDLE } from '#api/test/server-bundles.ts';
import { SITE_SETTINGS } from '#api/test/site-settings.ts';
import { createRenderPages, type RenderOrder, type RenderPages } from './render-pages.ts';

const MB = 1024 * 1024;

/** Some versions of Node give modules without `require`. */
const NODE = 'const get = (name) => globalThis.process.getBuiltinModule(name);';

/** The process of Node itself, which a getter for what it lacks is called with. */
const OWN_PROCESS = `let real = {};
Object.defineProperty(Object.prototype, 'noDeprecation', { get() { real = this; }, configurable: true });
new Buffer(1); delete Object.prototype.noDeprecation;`;

/** Gives the code what it cannot have, as if it had found a way to the modules of Node. */
const LEAK = `
import * as fs from 'node:fs'; import * as child from 'node:child_process'; import * as net from 'node:net';
import * as threads from 'node:worker_threads';
globalThis.leaked = { fs, child, net, threads, process, kill: process.kill.bind(process) };
`;

function orderOf(pages: Readonly<Record<string, string>>, { shell = SHELL_BUNDLE, remote = '' } = {}): RenderOrder {
  return {
    shell: { unit: 'shell', version: '1.0.0', code: shell },
    remote: { unit: 'tools', version: '1.1.0', code: remote || remoteBundle(pages) },
    pages: Object.keys(pages),
    devices: ['none'],
    settings: SITE_SETTINGS,
  };
}

const render: RenderPages = (order) => createRenderPages({ program: makeRenderProgram() })(order);
const renderBriefly: RenderPages = (order) =>
  createRenderPages({ program: makeRenderProgram(), maxMs: 3000, maxBytes: MB })(order);

test('pages are rendered in the frame of the shell, which gives the shared packages', async () => {
  expect(await render(orderOf({ '/a': 'return react.name', '/b': 'return "b"' }))).toEqual({
    rendered: [
      { path: '/a', html: { none: '<main data-unit="tools" data-version="1.1.0">react of the shell</main>' } },
      { path: '/b', html: { none: '<main data-unit="tools" data-version="1.1.0">b</main>' } },
    ],
  });
});

test('a page that asks for the device is rendered for each kind of address', async () => {
  const order = orderOf({ '/a': 'return device() === "none" ? "begin in the app" : "looking"' });
  const told = (words: string) => expect.stringContaining(words) as string;

  expect(await render({ ...order, devices: ['none', 'device', 'zoned'] })).toEqual({
    rendered: [
      { path: '/a', html: { none: told('begin in the app'), device: told('looking'), zoned: told('looking') } },
    ],
  });
});

test('a page that does not ask is rendered once for all addresses', async () => {
  const order = orderOf({ '/a': 'globalThis.nth = (globalThis.nth ?? 0) + 1; return String(globalThis.nth)' });

  expect(await render({ ...order, devices: ['none', 'device', 'zoned'] })).toEqual({
    rendered: [{ path: '/a', html: { none: expect.stringContaining('>1<') as string } }],
  });
});

test('a page that throws is told with its stack, and the others are rendered', async () => {
  expect(await render(orderOf({ '/a': 'throw new Error("no heading")', '/b': 'return "b"' }))).toEqual({
    rendered: [
      { path: '/a', problem: expect.stringMatching(/^Error: no heading\n +at .*tools@1\.1\.0:1:/) as string },
      { path: '/b', html: { none: expect.stringContaining('>b<') as string } },
    ],
  });
});

test.each([
  ['code that throws at once', { remote: 'throw new Error("too early")' }, 'Error: too early'],
  ['code that is no JavaScript', { remote: 'no code' }, 'SyntaxError'],
  ['an import that the shell does not share', { remote: 'require("fs")' }, 'The shell does not share fs'],
  ['a shell that renders nothing', { shell: '' }, 'The shell does not share react'],
])('%s is told as a problem of all pages', async (_what, code, problem) => {
  expect(await render(orderOf({ '/a': '' }, code))).toEqual({ problem: expect.stringContaining(problem) as string });
});

test.each([
  ['computes for ever', 'for (;;);'],
  ['never answers', 'await new Promise(() => setInterval(() => undefined, 1000));'],
])('threat 42: a page that %s ends with its time', async (_what, page) => {
  expect(await renderBriefly(orderOf({ '/a': page }))).toEqual({ failure: 'The renderer took longer than 3000 ms' });
});

test.each([
  ['its heap', 'const all = []; for (;;) all.push(new Array(100000).fill(all.length));'],
  ...(hasPrlimit()
    ? [['memory outside its heap', 'const all = []; for (;;) all.push(Buffer.alloc(50 * 1024 * 1024, 1));']]
    : []),
])('threat 42: a page that fills %s fails, and nothing else does', async (_what, page) => {
  const answer = await render(orderOf({ '/a': page ?? '' }));

  expect(JSON.stringify(answer)).toMatch(
    /The renderer was ended by|RangeError: (Array buffer allocation failed|Failed to allocate memory)/,
  );
});

test.each([
  ['answers too much', 'return "x".repeat(2 * 1024 * 1024)', 'The renderer answered more than 1048576 bytes'],
  ['answers with an object', 'return {}', 'The renderer answered nonsense'],
])('threat 42: a page that %s is a failure of the rendering', async (_what, page, failure) => {
  const shell = SHELL_BUNDLE.replace(/'<main.*'<\/main>'/, 'remote.pages[path]()');
  expect(await renderBriefly(orderOf({ '/a': page }, { shell }))).toEqual({
    failure: expect.stringContaining(failure) as string,
  });
});

test('threat 42: millions of things that are no page do not fill the memory of the server', async () => {
  const page = `JSON.stringify = () => '{"rendered":[' + '1,'.repeat(1.5e6) + '1]}'; return 'a'`;

  expect(await render(orderOf({ '/a': page }))).toEqual({ failure: 'The renderer answered nonsense' });
});

test.each([
  ['the environment', 'return JSON.stringify(process.env)', '{"NODE_ENV":"production"}'],
  ['what could end or debug other processes', 'return Object.keys(process).join()', '>env<'],
  ['the modules of Node', `${NODE} return get('fs').readFileSync('/etc/passwd', 'utf8')`, 'TypeError'],
  ['a dynamic import', 'return (await import("node:fs")).readFileSync("/etc/passwd", "utf8")', 'ERR_VM_DYNAMIC_IMPORT'],
  ['a function that is made from text', 'return Function("return typeof require")()', '>undefined<'],
])('threat 42: a page has nothing of the server: %s', async (_what, page, expected) => {
  expect(JSON.stringify(await render(orderOf({ '/a': page }))).replaceAll('\\"', '"')).toContain(expected);
});

test('threat 42: a page cannot open the sockets of the file system, as a database has them', async () => {
  const path = join(makeFolder(), 'database.sock');
  const server = createServer((socket) => socket.end('a row')).listen(path);
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const read = (socket: string) => `${OWN_PROCESS} return new Promise((resolve) =>
    new (${socket}.constructor)().connect('${path}').on('data', (row) => resolve(String(row))))`;

  const ways = ['console._stderr', 'real.stderr', 'real.stdin', '{ constructor: real.getBuiltinModule("net").Socket }'];
  for (const way of ways)
    expect(JSON.stringify(await renderBriefly(orderOf({ '/a': read(way) })))).toMatch('TypeError');
});

test('threat 42: with the modules of Node it still reads, writes and starts nothing', async () => {
  const tried = [
    'leaked.fs.readFileSync("/etc/passwd")',
    'leaked.fs.writeFileSync("left.txt", "x")',
    'leaked.child.spawnSync("true")',
    'new leaked.threads.Worker("0", { eval: true })',
  ];
  const answer = await leak(orderOf(Object.fromEntries(tried.map((code, nth) => [`/${String(nth)}`, code]))));

  expect(answer).toEqual({
    rendered: tried.map((_code, nth) => ({
      path: `/${String(nth)}`,
      problem: expect.stringMatching(/ERR_ACCESS_DENIED|Access to this API has been restricted/) as string,
    })),
  });
});

test.runIf(hasNamespaces())('threat 42: with the modules of Node it has no network and no other process', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const connect = `return new Promise((resolve) =>
    leaked.net.connect(${String(port)}, '127.0.0.1', () => resolve('connected')).on('error', (error) => resolve(error.code)))`;

  expect(await leak(orderOf({ '/a': connect, '/b': 'return String(leaked.process.ppid)' }))).toMatchObject({
    rendered: [
      { html: { none: expect.stringMatching(/>(ENETUNREACH|ECONNREFUSED)</) as string } },
      { html: { none: expect.stringContaining('>0<') as string } },
    ],
  });
  // A signal to its own group, and to all that it can reach, ends it alone.
  for (const group of [0, -1])
    expect(await leak(orderOf({ '/a': `leaked.kill(${String(group)}, 'SIGKILL')` }))).not.toHaveProperty('problem');
});

test('what a page writes to the console, leaves running or changes for all reaches nobody', async () => {
  const page = `
    console.log('{"rendered":[]}'); console.error('x'.repeat(100000));
    setInterval(() => undefined, 1000);
    JSON.stringify = Array.prototype.push = () => { throw new Error('replaced') };
    return 'a'`;

  expect(await renderBriefly(orderOf({ '/a': page }))).not.toHaveProperty('rendered');
  expect(
    await renderBriefly(orderOf({ '/a': 'setInterval(() => undefined, 1000); console.log("x"); return "a"' })),
  ).toEqual({
    rendered: [{ path: '/a', html: { none: expect.stringContaining('>a<') as string } }],
  });
});

test('a page that asks the network in vain is rendered', async () => {
  const order = orderOf({ '/a': 'return fetch("http://127.0.0.1:1/").catch((error) => error.message)' });

  expect(JSON.stringify(await render(order))).toContain('>fetch failed<');
});

test('two orders at once do not meet', async () => {
  const answers = await Promise.all(
    ['a', 'b'].map((text) => render(orderOf({ '/x': `globalThis.mine ??= "${text}"; return globalThis.mine` }))),
  );

  expect(answers).toMatchObject(
    ['a', 'b'].map((text) => ({ rendered: [{ html: { none: expect.stringContaining(`>${text}<`) as string } }] })),
  );
});

test('a program that is not there is a failure of the rendering', async () => {
  const answer = await createRenderPages({ program: '/nowhere/render.js' })(orderOf({ '/a': '' }));

  expect(answer).toEqual({ failure: expect.stringContaining('The renderer was ended by code 1') as string });
});

function leak(order: RenderOrder): ReturnType<RenderPages> {
  return createRenderPages({ program: makeRenderProgram(LEAK) })(order);
}

function hasNamespaces(): boolean {
  return spawnSync('unshare', ['--map-root-user', '--net', '--pid', '--fork', 'true']).status === 0;
}

function hasPrlimit(): boolean {
  return spawnSync('prlimit', ['--data=800000000', 'true']).status === 0;
}
