import { spawnSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { makeFolder } from '#api/test/make-folder.ts';
import { makeRenderProgram } from '#api/test/delivery/render-program.ts';
import { remoteBundle, SHELL_BUNDLE } from '#api/test/delivery/server-bundles.ts';
import { SITE_SETTINGS } from '#api/test/delivery/site-settings.ts';
import { createConfine } from './run-confined.ts';
import { createRenderPages, type RenderOrder } from './render-pages.ts';

function orderOf(page: string): RenderOrder {
  return {
    shell: { unit: 'shell', version: '1.0.0', code: SHELL_BUNDLE },
    remote: { unit: 'tools', version: '1.0.0', code: remoteBundle({ '/a': page }) },
    pages: ['/a'],
    translations: [],
    devices: ['none'],
    settings: SITE_SETTINGS,
  };
}

test('a translation runs before the code of the page', async () => {
  const order = { ...orderOf('return translations.locale'), translations: ['globalThis.translations={locale:"vi"}'] };

  expect(await createRenderPages({ program: makeRenderProgram() })(order)).toMatchObject({
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

test('threat 42: the process has an empty environment, yields to others, and leaves nothing', async () => {
  const [program, folder] = [makeRenderProgram(), makeFolder()];
  vi.stubEnv('TMPDIR', folder);
  vi.stubEnv('HWID_PEPPER', 'secret');
  onTestFinished(() => void vi.unstubAllEnvs());
  const page = `const { PWD, ...env } = process.env;
    return JSON.stringify([env, process.cwd(), process.getBuiltinModule('os').getPriority()])`;
  const answer = await createRenderPages({ program })(orderOf(page));

  const expected = `>[{"NODE_ENV":"production"},"/",${String(Math.min(19, getPriority() + 5))}]<`;
  expect(answer).toMatchObject({ rendered: [{ html: { none: expect.stringContaining(expected) as string } }] });
  expect(readdirSync(folder)).toEqual([]);
});

test('renderings of a page that are the same as without a device are left out', async () => {
  const order = orderOf('return device() === "zoned" ? "looking" : "begin in the app"');
  const answer = await createRenderPages({ program: makeRenderProgram() })({
    ...order,
    devices: ['none', 'device', 'zoned'],
  });

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

test('threat 42: a process whose server has died ends by itself', () => {
  const order = { ...orderOf('await new Promise(() => setInterval(() => undefined, 1000))'), maxMs: 300 };
  const { status } = spawnSync(process.execPath, [makeRenderProgram()], {
    input: JSON.stringify(order),
    stdio: ['pipe', 'ignore', 'ignore', 'pipe'],
    timeout: 15_000,
  });

  expect(status).toBe(1);
});

test.runIf(process.platform === 'linux')(
  'threat 42: a process that computes endlessly ends, also without a server that ends it',
  async () => {
    expect((await run('for (;;);', 1)).error).toBeUndefined();
  },
);

test('threat 42: a heap is a third of the memory', async () => {
  const code = `import { getHeapStatistics } from 'node:v8'; console.log(getHeapStatistics().heap_size_limit / 2 ** 20)`;
  const mb = Number((await run(code, 20)).stdout);

  expect(mb).toBeGreaterThanOrEqual(100);
  expect(mb).toBeLessThan(200);
});
