import { spawnSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { makeFolder } from '#api/test/make-folder.ts';
import { makeRenderProgram } from '#api/test/render-program.ts';
import { remoteBundle, SHELL_BUNDLE } from '#api/test/server-bundles.ts';
import { SITE_SETTINGS } from '#api/test/site-settings.ts';
import { createConfine } from './confine.ts';
import { createRenderPages, type RenderOrder } from './render-pages.ts';

/** What the process itself has, before it takes its means away from pages. */
const LEAK = `import * as leakedOs from 'node:os'; globalThis.leaked = { getPriority: leakedOs.getPriority, process };`;

function orderOf(page: string): RenderOrder {
  return {
    shell: { unit: 'shell', version: '1.0.0', code: SHELL_BUNDLE },
    remote: { unit: 'tools', version: '1.0.0', code: remoteBundle({ '/a': page }) },
    pages: ['/a'],
    devices: ['none'],
    settings: SITE_SETTINGS,
  };
}

/** Runs a program confined. Returns how it ended. */
async function run(code: string, maxSeconds: number) {
  const program = join(makeFolder(), 'program.mjs');
  writeFileSync(program, code);
  const [command = '', ...args] = await createConfine(program, { maxMb: 300, maxSeconds })();
  return spawnSync(command, args, { encoding: 'utf8', timeout: 15_000, killSignal: 'SIGKILL' });
}

test('threat 42: the process has an empty environment and folder, yields to others, and leaves nothing', async () => {
  const program = makeRenderProgram(LEAK);
  const folder = makeFolder();
  vi.stubEnv('TMPDIR', folder);
  onTestFinished(() => void vi.unstubAllEnvs());
  const page = `const { process, getPriority } = leaked;
    return JSON.stringify([process.env, process.cwd().startsWith(${JSON.stringify(`${folder}/render-`)}), getPriority()])`;
  const answer = await createRenderPages({ program })(orderOf(page));

  expect(answer).toMatchObject({
    rendered: [
      {
        html: {
          none: expect.stringContaining(
            `>[{"NODE_ENV":"production"},true,${String(Math.max(5, getPriority()))}]<`,
          ) as string,
        },
      },
    ],
  });
  expect(readdirSync(folder)).toEqual([]);
});

test('threat 42: a page that finds the process of Node can signal and debug nobody with it', async () => {
  const names = ['kill', '_kill', '_debugProcess', '_debugEnd', 'dlopen', 'binding', '_linkedBinding'];
  const page = `return ${JSON.stringify(names)}.filter((name) => name in leaked.process).join() || 'none'`;
  const answer = await createRenderPages({ program: makeRenderProgram(LEAK) })(orderOf(page));

  expect(JSON.stringify(answer)).toContain('>none<');
});

test('of the renderings of a page those are left out that are the same as without a device', async () => {
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

test.runIf(spawnSync('prlimit', ['--cpu=9', 'true']).status === 0)(
  'threat 42: whoever computes for ever ends, also when nobody is there any more to end it',
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
