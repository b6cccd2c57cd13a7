import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openProject } from './launched-project.ts';
import { isAlive } from '../tools/site/started-server.ts';

const ANY = 'npm ci --ignore-scripts --loglevel=error --no-progress --include=optional';
const INSTALLED = `${ANY} --include=dev`;

test('on Node 24 the tool runs in the same process, with its own arguments, once the packages are installed', () => {
  const { type, calls } = openProject();
  const first = type({ on: 'Node 24', args: ['tool', '3', 'an argument'] });
  const second = type({ on: 'Node 24', args: ['tool', '0'] });

  expect(first).toMatchObject({ code: 3, said: ['3', 'an argument'] });
  expect(second.code).toBe(0);
  expect(calls()).toEqual([INSTALLED]);
});

test('what serves the site needs no packages for tests, and a tool for development installs them as well', () => {
  const { type, calls } = openProject();
  type({ on: 'Node 24', args: ['start'] });
  type({ on: 'Node 24', args: ['start'] });
  expect(calls()).toEqual([`${ANY} --omit=dev`]);

  type({ on: 'Node 24', args: ['tool'] });
  type({ on: 'Node 24', args: ['start'] });
  expect(calls().slice(1)).toEqual([INSTALLED]);
});

test('of two commands that start at once, one installs', async () => {
  const { start, calls } = openProject();
  const codes = await Promise.all(
    ['5', '6'].map(async (code) => {
      const child = start({ on: 'Node 24', args: ['tool', code], npm: 'is slow' });
      return ((await once(child, 'exit')) as [number])[0];
    }),
  );

  expect(codes).toEqual([5, 6]);
  expect(calls()).toEqual([INSTALLED]);
});

test('on Node 20 the command fetches Node 24 once, says so, and goes on with it', () => {
  const { type, calls } = openProject();
  const first = type({ on: 'Node 20', args: ['tool', '3', 'an argument'] });
  const second = type({ on: 'Node 20', args: ['tool', '0'] });

  expect(first).toMatchObject({ code: 3, said: ['3', 'an argument'] });
  expect(first.errors).toContain('This is Node 20.19.0; fetching Node 24 from the npm registry, once … 0 s\n');
  expect(second).toMatchObject({ code: 0, errors: '' });
  expect(calls().filter((call) => call.includes('--no-audit'))).toHaveLength(1);
});

test('what the tool starts on Node 20 finds Node 24 first', () => {
  const { path } = openProject().type({ on: 'Node 20', args: ['tool'] });

  const found = execFileSync('node', ['--version'], { env: { PATH: path }, encoding: 'utf8' });
  expect(found).toBe('v24.99.0\n');
});

test.each([
  ['is gone', (node: string) => rmSync(node)],
  ['is cut off', (node: string) => writeFileSync(node, '')],
  ['is an old one', (node: string) => writeFileSync(node, '#!/bin/sh\necho v24.98.0\n')],
])('a fetched Node that %s is fetched again', (_what, harm) => {
  const { type, fetchedNode } = openProject();
  type({ on: 'Node 20', args: ['tool'] });
  harm(fetchedNode);

  expect(type({ on: 'Node 20', args: ['tool', '5'] })).toMatchObject({ code: 5 });
});

test('what a killed command had fetched by half is removed by the next', () => {
  const { type, runtime } = openProject();
  const killed = type({ on: 'Node 20', args: ['tool'], npm: 'dies' });
  expect(killed.signal).toBe('SIGKILL');
  expect(readdirSync(runtime).some((name) => name.startsWith('.fetching-'))).toBe(true);

  expect(type({ on: 'Node 20', args: ['tool', '5'] })).toMatchObject({ code: 5 });
  expect(readdirSync(runtime).sort()).toEqual(['.installing', 'node_modules', 'package-lock.json', 'package.json']);
});

test('a folder that a process of the same number has left keeps none from fetching', async () => {
  const { runtime, startAfter } = openProject();
  const shell = startAfter('mkdir scripts/node-runtime/.fetching-$$-left', { on: 'Node 20', args: ['tool', '5'] });
  expect(await once(shell, 'exit')).toEqual([5, null]);
  expect(readdirSync(runtime).filter((name) => name.startsWith('.fetching-'))).toEqual([]);
});

test.each(['Node 20', 'Node 24'] as const)(
  'on %s a command that is ended while npm works ends npm as well',
  async (on) => {
    const { start, hungNpm } = openProject();
    const child = start({ on, args: ['tool'], npm: 'hangs' });
    await expect.poll(hungNpm).toBeGreaterThan(0);
    child.kill('SIGTERM');

    expect(await once(child, 'exit')).toEqual([1, null]);
    await expect.poll(() => isAlive(hungNpm() ?? 0)).toBe(false);
  },
);

test('an npm that gets nothing and says nothing has not fetched Node 24', () => {
  const { code, errors } = openProject().type({ on: 'Node 20', args: ['tool'], npm: 'gets nothing' });

  expect(code).toBe(1);
  expect(errors).toContain('Node 24 could not be fetched.');
});

test('two commands that fetch at once both go on', async () => {
  const { start } = openProject();
  const codes = await Promise.all(
    ['5', '6'].map(async (code) => {
      const child = start({ on: 'Node 20', args: ['tool', code] });
      return ((await once(child, 'exit')) as [number])[0];
    }),
  );

  expect(codes).toEqual([5, 6]);
});

test('where Node 24 cannot be fetched, the command says what to install', () => {
  const { code, errors } = openProject().type({ on: 'Node 20', args: ['tool'], npm: 'fails' });

  expect(code).toBe(1);
  expect(errors).toMatch(/^Node 24 could not be fetched\. Install it from https:\/\/nodejs\.org, then try again\.$/m);
});

test('on a Node that is too old the command says which is needed', () => {
  const { code, errors } = openProject().type({ on: 'Node 18', args: ['tool'] });

  expect(code).toBe(1);
  expect(errors).toBe('Node 20.19 or newer is needed; this is 18.20.0.\n');
});

test('a tool whose build failed ends with that, and without a stack', () => {
  const { code, errors } = openProject().type({ on: 'Node 24', args: ['tool', 'cannot build'] });

  expect(code).toBe(1);
  expect(errors).toMatch(/^tools could not be built\n$/m);
  expect(errors).not.toContain('    at ');
});

test('a tool that does not exist is named', () => {
  const { code, errors } = openProject().type({ on: 'Node 24', args: ['nothing'] });

  expect(code).toBe(1);
  expect(errors).toContain('There is no tool nothing.');
});

test('what a developer has installed stays, whichever command is the first after a change of the lock file', () => {
  const { type, calls, folder } = openProject();
  type({ on: 'Node 24', args: ['tool'] });
  writeFileSync(join(folder, 'package-lock.json'), '{ "changed": true }');
  type({ on: 'Node 24', args: ['start'] });

  expect(calls()).toEqual([INSTALLED, INSTALLED]);
});

test.each(['SIGTERM', 'SIGINT', 'SIGKILL'] as const)(
  'on Node 20 a launcher that gets %s leaves no tool behind',
  async (signal) => {
    const child = openProject().start({ on: 'Node 20', args: ['tool', 'wait'] });
    const ended = once(child, 'exit');
    await once(child.stdout, 'data');
    const [tool] = childrenOf(child.pid ?? 0);

    child.kill(signal);

    expect(await ended).toEqual(signal === 'SIGKILL' ? [null, signal] : [7, null]);
    await expect.poll(() => isAlive(tool ?? 0), { timeout: 10_000 }).toBe(false);
  },
);

test('after an installation on Node 20, what npm starts runs on the fetched Node', () => {
  const { type, list, folder, fetchedNode } = openProject();
  // The real Node, because it says itself where it is.
  list(process.versions.node);
  const { code } = type({ on: 'Node 20', args: [], npm: 'copies' });

  expect(code).toBe(0);
  expect(realpathSync(join(folder, 'node_modules/.bin/node'))).toBe(realpathSync(fetchedNode));
});

test('after an installation on Node 24, what npm starts runs on that one, and the next command installs nothing', () => {
  const { type, folder } = openProject();
  mkdirSync(join(folder, 'node_modules/vitest'));
  const { code } = type({ on: 'Node 24', args: [] });

  expect(code).toBe(0);
  expect(existsSync(join(folder, 'node_modules/.bin/node'))).toBe(false);
  expect(type({ on: 'Node 24', args: ['tool', '5'] })).toMatchObject({ code: 5, errors: '' });
});

function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
}
