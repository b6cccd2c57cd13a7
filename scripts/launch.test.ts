import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { lockWithout, openProject, OTHERS } from '../tools/site/test/launch-project.ts';
import { isAlive } from '../tools/site/test/started-server.ts';

const QUIET = '--ignore-scripts --no-audit --no-fund --no-update-notifier --loglevel=error';
const FETCHES = `npm ci ${QUIET}`;
const OF_PRODUCTION = `npm ci --include=optional --omit=dev ${QUIET}`;
const INSTALLED = `npm ci --include=optional --include=dev ${QUIET}`;
const ADDED = `npm install --no-save --include=optional --include=dev ${QUIET}`;

test('on Node 24 the tool runs in the same process, with its own arguments, once the packages are installed', () => {
  const { type, calls } = openProject();
  const first = type({ on: 'Node 24', args: ['tool', '3', 'an argument'] });
  const second = type({ on: 'Node 24', args: ['tool', '0'] });

  expect(first).toMatchObject({ code: 3, said: ['3', 'an argument'] });
  expect(second.code).toBe(0);
  expect(calls()).toEqual([INSTALLED]);
});

test('what serves the site needs no packages for tests, and a tool for development adds them, also to a folder of one', () => {
  const { type, calls, folder } = openProject();
  type({ on: 'Node 24', args: ['start'] });
  type({ on: 'Node 24', args: ['start'] });
  expect(calls()).toEqual([OF_PRODUCTION]);

  // A folder that something else has left does not count as installed.
  mkdirSync(join(folder, 'node_modules/tested'));
  type({ on: 'Node 24', args: ['tool'] });
  type({ on: 'Node 24', args: ['start'] });
  expect(calls().slice(1)).toEqual([ADDED]);
});

test('what npm has left out for this platform, without a word, is named, and installed by the next command', () => {
  const { type, calls } = openProject();
  const first = type({ on: 'Node 24', args: ['tool'], npm: 'leaves out' });
  const second = type({ on: 'Node 24', args: ['tool', '5'] });

  expect(first.code).toBe(1);
  expect(first.errors).toContain('npm has not installed node_modules/native, and did not say why. Try again.');
  expect(second.code).toBe(5);
  expect(calls()).toEqual([INSTALLED, INSTALLED]);
});

test.each([
  ['Node 18', ['tool'], undefined, /^Node 20\.19 or newer is needed; this is 18\.20\.0\.\n$/],
  [
    'Node 20',
    ['tool'],
    'may not write',
    /npm may not write \/home\/of\/others\. .* npm_config_cache=<folder> names another\.$/m,
  ],
  [
    'Node 24',
    ['tool'],
    'may not write',
    /npm may not write \/home\/of\/others\. .* npm_config_cache=<folder> names another\.$/m,
  ],
  ['Node 24', ['tool'], 'has no room', /: npm failed \(ENOSPC\), and said why above\.$/m],
  ['Node 20', ['tool'], 'fails', /fetching Node 24\.99\.0 .*: npm failed, and said why above\.$/m],
  [
    'Node 20',
    ['tool'],
    'gets nothing',
    /^npm has fetched no Node 24\.99\.0 that runs here\. Install Node 24 or newer/m,
  ],
  ['Node 24', ['tool', 'cannot build'], undefined, /^tools could not be built\n(?![^]* {4}at )/m],
  ['Node 24', ['nothing'], undefined, /^There is no tool nothing\.$/m],
] as const)('on %s %j, where npm %s, ends with exit code 1 and %s', (on, args, npm, sentence) => {
  const { code, errors } = openProject().type({ on, args, ...(npm && { npm }) });

  expect(code).toBe(1);
  expect(errors).toMatch(sentence);
});

test.each(['Node 20', 'Node 24'] as const)('on %s two commands at once both go on, and one installs', async (on) => {
  const { start, calls } = openProject();
  const codes = await Promise.all(
    ['5', '6'].map(async (code) => {
      const child = start({ on, args: ['tool', code], npm: 'is slow' });
      return ((await once(child, 'exit')) as [number])[0];
    }),
  );

  expect(codes).toEqual([5, 6]);
  expect(calls().filter((call) => call === INSTALLED)).toEqual([INSTALLED]);
});

test('on Node 20 the command fetches Node 24 once, says so, and goes on with it', () => {
  const { type, calls } = openProject();
  const first = type({ on: 'Node 20', args: ['tool', '3', 'an argument'] });
  const second = type({ on: 'Node 20', args: ['tool', '0'] });

  expect(first).toMatchObject({ code: 3, said: ['3', 'an argument'] });
  expect(first.errors).toContain('This is Node 20.19.0; fetching Node 24.99.0 from the npm registry, once … 0 s\n');
  expect(second).toMatchObject({ code: 0, errors: '' });
  expect(calls().filter((call) => call === FETCHES)).toHaveLength(1);
  // Also what the tool starts runs on it.
  const found = execFileSync('node', ['--version'], { env: { PATH: first.path }, encoding: 'utf8' });
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
  expect(readdirSync(runtime).sort()).toEqual(['.installing', 'node_modules', 'package-lock.json']);
});

test('a folder that a process of the same number has left keeps none from fetching', async () => {
  const { runtime, startAfter } = openProject();
  const shell = startAfter('mkdir scripts/node-runtime/.fetching-$$-left', { on: 'Node 20', args: ['tool', '5'] });
  expect(await once(shell, 'exit')).toEqual([5, null]);
  expect(readdirSync(runtime).filter((name) => name.startsWith('.fetching-'))).toEqual([]);
});

test.each([
  ['Node 20', 'SIGINT', [1, null]],
  ['Node 24', 'SIGINT', [1, null]],
  ['Node 20', 'SIGKILL', [null, 'SIGKILL']],
  ['Node 24', 'SIGKILL', [null, 'SIGKILL']],
] as const)('on %s a command that gets %s twice while npm works ends npm as well', async (on, signal, end) => {
  const { start, hungNpm } = openProject();
  const child = start({ on, args: ['tool'], npm: 'hangs' });
  await expect.poll(hungNpm).toBeGreaterThan(0);
  for (let times = 0; times < 2; times++) child.kill(signal);

  const [ended, errors] = await Promise.all([once(child, 'exit'), text(child.stderr)]);
  expect(ended).toEqual(end);
  expect(errors.includes('interrupted. The same command goes on.')).toBe(signal === 'SIGINT');
  await expect.poll(() => isAlive(hungNpm() ?? 0)).toBe(false);
});

test('what a developer has installed stays, whichever command is the first after a change of the lock file', () => {
  const { type, calls, folder } = openProject();
  type({ on: 'Node 24', args: ['tool'] });
  writeFileSync(join(folder, 'package-lock.json'), lockWithout().replace('sha512-served', 'sha512-newer'));
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

test.each([[[]], [['tool']]])(
  'after an installation on Node 20, also a second one, what npm starts runs on the fetched Node (%j)',
  (args) => {
    const { type, list, folder, fetchedNode } = openProject();
    // The real Node, because it says itself where it is.
    list(process.versions.node);
    const codes = [1, 2].map(() => type({ on: 'Node 20', args, npm: 'copies' }).code);

    const link = join(folder, 'node_modules/.bin/node');
    expect(codes).toEqual([0, 0]);
    expect(realpathSync(link)).toBe(realpathSync(fetchedNode));
    expect(isAbsolute(readlinkSync(link))).toBe(false);
  },
);

test('what another command is fetching stays', () => {
  const { type, runtime } = openProject();
  const others = `.fetching-${process.pid}-of-another`;
  mkdirSync(join(runtime, others));
  type({ on: 'Node 20', args: ['tool'] });

  expect(readdirSync(runtime)).toContain(others);
});

test('after an installation on Node 24, what npm starts runs on that one, and the next command installs nothing', () => {
  const { type, folder } = openProject();
  writeFileSync(join(folder, 'node_modules/.package-lock.json'), lockWithout(...OTHERS));
  const { code } = type({ on: 'Node 24', args: [] });

  expect(code).toBe(0);
  expect(existsSync(join(folder, 'node_modules/.bin/node'))).toBe(false);
  expect(type({ on: 'Node 24', args: ['tool', '5'] })).toMatchObject({ code: 5, errors: '' });
});

function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
}
