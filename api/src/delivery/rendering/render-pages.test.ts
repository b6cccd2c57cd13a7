import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createRenderPages, type RenderOrder, type RenderPages } from './render-pages.ts';
import { presentStack, createConfine } from './run-confined.ts';
import { makeRenderProgram } from '#api/test/delivery/render-program.ts';
import { remoteBundle, SHELL_BUNDLE } from '#api/test/delivery/server-bundles.ts';
import { SITE_SETTINGS } from '#api/test/delivery/site-settings.ts';
import { makeFolder } from '#api/test/make-folder.ts';

const MB = 1024 * 1024;

/** Node gives its modules without `require`. */
const NODE_ACCESS_CODE = 'const get = (name) => process.getBuiltinModule(name);';

/** Only Linux has namespaces. There, `npm test` installs bubblewrap. */
const canConfine = process.platform === 'linux';

function orderOf(pages: Readonly<Record<string, string>>, { shell = SHELL_BUNDLE, remote = '' } = {}): RenderOrder {
  return {
    shell: { unit: 'shell', version: '1.0.0', code: shell },
    remote: { unit: 'tools', version: '1.1.0', code: remote || remoteBundle(pages) },
    pages: Object.keys(pages),
    translations: [],
    devices: ['none'],
    settings: SITE_SETTINGS,
  };
}

const render: RenderPages = (order) => createRenderPages({ program: makeRenderProgram() })(order);
const renderBriefly: RenderPages = (order) =>
  createRenderPages({ program: makeRenderProgram(), maxMs: 3000, maxBytes: MB })(order);

test('pages are rendered within the frame of the shell, which provides the shared packages', async () => {
  expect(await render(orderOf({ '/a': 'return react.name', '/b': 'return "b"' }))).toEqual({
    rendered: [
      { path: '/a', html: { none: '<main data-unit="tools" data-version="1.1.0">react of the shell</main>' } },
      { path: '/b', html: { none: '<main data-unit="tools" data-version="1.1.0">b</main>' } },
    ],
  });
});

test('a page that does not read its address is rendered once for all addresses', async () => {
  const order = orderOf({ '/a': 'globalThis.nth = (globalThis.nth ?? 0) + 1; return String(globalThis.nth)' });

  expect(await render({ ...order, devices: ['none', 'device', 'zoned'] })).toEqual({
    rendered: [{ path: '/a', html: { none: expect.stringContaining('>1<') as string } }],
  });
});

test('a page that throws is reported with its stack, and the others are rendered', async () => {
  expect(await render(orderOf({ '/a': 'throw new Error("no heading")', '/b': 'return "b"' }))).toEqual({
    rendered: [
      { path: '/a', problem: expect.stringMatching(/^Error: no heading\n +at .*tools@1\.1\.0:1:/) as string },
      { path: '/b', html: { none: expect.stringContaining('>b<') as string } },
    ],
  });
});

test('a stack has source positions from the source map, or bundle positions if the map is invalid', async () => {
  // The first character of the bundle is line 12, column 5 of the page; nothing else is mapped.
  const map = JSON.stringify({ version: 3, names: [], sources: ['./src/pages/a.tsx'], mappings: 'AAWI' });
  const order = orderOf({ '/a': 'throw new Error("no heading")' });
  const told = async (given: string) => {
    const answer = await render({ ...order, remote: { ...order.remote, map: given } });
    return JSON.stringify(answer);
  };

  expect(await told(map)).toMatch(/Error: no heading\\n +at .*tools@1\.1\.0\/src\/pages\/a\.tsx:12:5\)/);
  // Its name ends like that of the shell, whose map does not contain it.
  const other = { ...order.remote, unit: 'my-shell', version: order.shell.version };
  expect(JSON.stringify(await render({ ...order, shell: { ...order.shell, map }, remote: other }))).toMatch(
    /Error: no heading\\n +at .*my-shell@1\.0\.0:1:\d+\)/,
  );
  for (const none of ['', '{}', '[]', 'null', '{"version":3,"sources":1,"mappings":"!"}'])
    expect(await told(none)).toMatch(/Error: no heading\\n +at .*tools@1\.1\.0:1:\d+\)/);
});

test.each([
  ['code that throws at once', { remote: 'throw new Error("too early")' }, 'Error: too early'],
  ['code that is no JavaScript', { remote: 'no code' }, 'SyntaxError'],
  ['an import that the shell does not share', { remote: 'require("fs")' }, 'The shell does not share fs'],
  ['a shell that renders nothing', { shell: '' }, 'The shell does not share react'],
])('reports %s as a failure of all pages', async (_what, code, problem) => {
  expect(await render(orderOf({ '/a': '' }, code))).toEqual({ problem: expect.stringContaining(problem) as string });
});

test.each([
  ['computes endlessly', 'for (;;);'],
  ['never answers', 'await new Promise(() => setInterval(() => undefined, 1000));'],
])('threat 42: a page that %s is ended at its timeout', async (_what, page) => {
  expect(await renderBriefly(orderOf({ '/a': page }))).toEqual({ failure: 'The renderer took longer than 3000 ms' });
});

test.each([
  ['its heap', 'const all = []; for (;;) all.push(new Array(100000).fill(all.length));'],
  ...(canConfine
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

test('threat 42: millions of invalid pages do not fill the memory of the server', async () => {
  const page = `JSON.stringify = () => '{"rendered":[' + '1,'.repeat(1.5e6) + '1]}'; return 'a'`;

  expect(await render(orderOf({ '/a': page }))).toEqual({ failure: 'The renderer answered nonsense' });
});

test('threat 42: a page cannot access the server or require modules', async () => {
  const pages = {
    '/env': 'return JSON.stringify(process.env)',
    '/import': 'return (await import("node:fs")).readFileSync("/etc/passwd", "utf8")',
    '/text': 'return Function("return typeof require")()',
  };
  const told = JSON.stringify(await render(orderOf(pages))).replaceAll('\\"', '"');

  expect(told).toMatch(/"NODE_ENV":"production"(,"PWD":"\/")?}/);
  expect(told).toContain('ERR_VM_DYNAMIC_IMPORT');
  expect(told).toContain('>undefined<');
});

test('threat 42: a page with access to Node modules can read, write and start nothing', async () => {
  const tried = [
    'get("fs").readFileSync("/etc/passwd")',
    'get("fs").writeFileSync("left.txt", "x")',
    'get("child_process").spawnSync("true")',
    'new (get("worker_threads").Worker)("0", { eval: true })',
  ];
  const answer = await render(
    orderOf(Object.fromEntries(tried.map((code, nth) => [`/${String(nth)}`, NODE_ACCESS_CODE + code]))),
  );

  expect(answer).toEqual({
    rendered: tried.map((_code, nth) => ({
      path: `/${String(nth)}`,
      problem: expect.stringMatching(/ERR_ACCESS_DENIED|Access to this API has been restricted/) as string,
    })),
  });
});

/** What a page can find out about the machine. */
const ESCAPE_ATTEMPTS = {
  '/tcp': (port: number) => `connect({ port: ${String(port)}, host: '127.0.0.1' })`,
  '/socket': (_port: number, socket: string) => `connect({ path: '${socket}' })`,
  '/fetch': (port: number) => `(await fetch('http://127.0.0.1:${String(port)}/').then(() => 'connected', String))`,
  // The class of the dispatcher behind fetch speaks HTTP to any socket.
  '/dispatcher': (_port: number, socket: string) => `(await fetch('data:,').then(() => {
    const { constructor: Agent } = globalThis[Symbol.for('undici.globalDispatcher.1')];
    return fetch('http://signer/', { dispatcher: new Agent({ connect: { socketPath: '${socket}' } }) });
  }).then(() => 'connected', (error) => String(error.cause ?? error)))`,
  '/signal': () => `process.kill(${String(process.pid)}, 0)`,
};

test.runIf(canConfine)('threat 42: a page can reach no network, Unix socket or process', async () => {
  const socket = join(makeFolder(), 'signer.sock');
  const reply = (peer: Socket) => void peer.end('HTTP/1.1 200 OK\r\n\r\n');
  const [overNetwork, overSocket] = [createServer(reply).listen(0, '127.0.0.1'), createServer(reply).listen(socket)];
  onTestFinished(() => [overNetwork, overSocket].forEach((server) => server.close()));
  await Promise.all([once(overNetwork, 'listening'), once(overSocket, 'listening')]);
  const { port } = overNetwork.address() as AddressInfo;
  const connect = `${NODE_ACCESS_CODE} const connect = (to) => new Promise((resolve) =>
    get('net').connect(to, () => resolve('connected')).on('error', (error) => resolve(error.code)));`;
  const pages = Object.entries(ESCAPE_ATTEMPTS).map(
    ([path, way]) => [path, `${connect} return await ${way(port, socket)}`] as const,
  );
  const answer = await render(orderOf(Object.fromEntries(pages)));

  expect(answer).toMatchObject({
    rendered: [
      {
        path: '/tcp',
        html: { none: expect.stringMatching(/>(ENETUNREACH|ECONNREFUSED|ERR_ACCESS_DENIED)</) as string },
      },
      { path: '/socket', html: { none: expect.stringMatching(/>(ENOENT|ERR_ACCESS_DENIED)</) as string } },
      { path: '/fetch', html: { none: expect.stringContaining('fetch failed') as string } },
      {
        path: '/dispatcher',
        html: { none: expect.stringMatching(/ENOENT|is not a constructor|InvalidArgumentError/) as string },
      },
      { path: '/signal', problem: expect.stringContaining('ESRCH') as string },
    ],
  });
});

test('console output, running timers and changed globals of a page do not affect others', async () => {
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

test('a page with a failing request is rendered', async () => {
  const order = orderOf({ '/a': 'return fetch("http://127.0.0.1:1/").catch((error) => error.message)' });

  expect(JSON.stringify(await render(order))).toContain('>fetch failed<');
});

test('threat 42: a rendering job that cannot be serialized starts no process', async () => {
  const order = { ...orderOf({}), toJSON: () => 'x'.repeat(2 ** 29) };

  expect(await render(order)).toEqual({ failure: 'The renderer did not start: RangeError: Invalid string length' });
  // What Node keeps of the process that tried the confinement takes a moment to go.
  await expect.poll(() => process.getActiveResourcesInfo()).not.toContain('ProcessWrap');
});

test('a stack has positions in releases, and no file path of this machine', () => {
  const stack = [
    'Error: no heading',
    '    at Page (tools@0.2.0:12:5)',
    '    at renderToString (shell@0.1.0:900:1)',
    '    at main (file:///srv/site/dist/api/render.js:40:3)',
    '    at process.processTicksAndRejections (node:internal/process/task_queues:95:5)',
  ].join('\n');

  expect(presentStack(stack)).toBe(
    'Error: no heading\n    at Page (tools@0.2.0:12:5)\n    at renderToString (shell@0.1.0:900:1)',
  );
});

test('threat 42: a page’s error cannot control the terminal that shows it', () => {
  expect(presentStack('Error: \u001b]0;mine\u0007\u001b[2Jgone\r\n  at x')).toBe('Error: ]0;mine[2Jgone\n  at x');
  expect(presentStack('x'.repeat(100_000)).length).toBeLessThanOrEqual(2000);
});

test('the translation script runs before the code of the page', async () => {
  const order = {
    ...orderOf({ '/a': 'return translations.locale' }),
    translations: ['globalThis.translations={locale:"vi"}'],
  };

  expect(await render(order)).toMatchObject({
    rendered: [{ html: { none: expect.stringContaining('vi') as string } }],
  });
});

/** Runs a program confined. Returns how it ended. */
async function run(code: string, maxSeconds: number) {
  const program = join(makeFolder(), 'program.mjs');
  writeFileSync(program, code);
  const { command } = await createConfine(program, { maxMb: 300, maxSeconds })();
  const [name = '', ...args] = command;
  return spawnSync(name, args, { encoding: 'utf8', timeout: 15_000, killSignal: 'SIGKILL' });
}

test('threat 42: the renderer has an empty environment and low priority, and leaves nothing behind', async () => {
  const [program, folder] = [makeRenderProgram(), makeFolder()];
  vi.stubEnv('TMPDIR', folder);
  vi.stubEnv('HWID_PEPPER', 'secret');
  const page = `const { PWD, ...env } = process.env;
    return JSON.stringify([env, process.cwd(), process.getBuiltinModule('os').getPriority()])`;
  const answer = await createRenderPages({ program })(orderOf({ '/a': page }));

  const expected = `>[{"NODE_ENV":"production"},"/",${String(Math.min(19, getPriority() + 5))}]<`;
  expect(answer).toMatchObject({ rendered: [{ html: { none: expect.stringContaining(expected) as string } }] });
  expect(readdirSync(folder)).toEqual([]);
});

test('renderings of a page equal to that without a device are omitted', async () => {
  const order = orderOf({ '/a': 'return device() === "zoned" ? "looking" : "begin in the app"' });
  const answer = await render({ ...order, devices: ['none', 'device', 'zoned'] });

  expect(answer).toEqual({
    rendered: [
      {
        path: '/a',
        html: {
          none: expect.stringContaining('begin in the app') as string,
          zoned: expect.stringContaining('looking') as string,
        },
      },
    ],
  });
});

test('threat 42: a renderer exits after the death of its server', () => {
  const order = { ...orderOf({ '/a': 'await new Promise(() => setInterval(() => undefined, 1000))' }), maxMs: 300 };
  const { status } = spawnSync(process.execPath, [makeRenderProgram()], {
    input: JSON.stringify(order),
    stdio: ['pipe', 'ignore', 'ignore', 'pipe'],
    timeout: 15_000,
  });

  expect(status).toBe(1);
});

test.runIf(process.platform === 'linux')(
  'threat 42: a renderer in an endless loop ends, even without its server',
  async () => {
    expect((await run('for (;;);', 1)).error).toBeUndefined();
  },
);

test('threat 42: the heap limit is a third of the memory limit', async () => {
  const code = `import { getHeapStatistics } from 'node:v8'; console.log(getHeapStatistics().heap_size_limit / 2 ** 20)`;
  const mb = Number((await run(code, 20)).stdout);

  expect(mb).toBeGreaterThanOrEqual(100);
  expect(mb).toBeLessThan(200);
});
