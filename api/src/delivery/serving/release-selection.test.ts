import { randomUUID } from 'node:crypto';
import type { Release } from '@app/contracts/release';
import express, { type Request, type Response } from 'express';
import { expect, test } from 'vitest';
import type { Snapshot } from '#api/delivery/registry/registry.ts';
import {
  type ReleaseSelection,
  createReleaseSelector,
  isInShare,
  type PinSession,
  selectReleases,
  chooseLanguage,
  presentResolution,
  withLocalUnit,
} from './release-selection.ts';
import type { ReleaseHealth } from '#api/delivery/store/release-health.ts';
import { createEnsureVisitorCookie, createVisitorCookie } from '#api/foundation/visitors/client-identity.ts';
import { createPseudonyms } from '#api/foundation/visitors/pseudonyms.ts';
import { buildRelease, buildSnapshot } from '#api/test/delivery/build-release.ts';

const PEPPER = 'a pepper that only this test has';
const TEN_PERCENT = 1000;

const release = (unit: string, version: string, changes: Partial<Release> = {}) =>
  buildRelease(unit, { version, ...changes });
const SHELL = release('shell', '1.0.0');
const STABLE = release('key-system', '1.4.0');
const CANARY = release('key-system', '1.5.0');
const WITH_CANARY = buildSnapshot([SHELL, STABLE], {
  'key-system': { canary: { release: CANARY, share: TEN_PERCENT } },
});

/** A server that chooses. `cookies` are those that it has set. */
function createServer(
  snapshot: Snapshot,
  {
    older = [],
    pins,
    health,
  }: {
    older?: Release[];
    pins?: PinSession | undefined;
    health?: Pick<ReleaseHealth, 'findDamage' | 'revision'> | undefined;
  } = {},
) {
  const visitorCookie = createVisitorCookie(PEPPER);
  const cookies: string[] = [];
  const select = createReleaseSelector({
    registry: {
      snapshot: () => snapshot,
      find: (unit, version) => Promise.resolve(older.find((old) => old.unit === unit && old.version === version)),
      refresh: () => Promise.resolve(),
    },
    health,
    pseudonyms: createPseudonyms(PEPPER),
    visitorCookie,
    ensureVisitorCookie: createEnsureVisitorCookie({ cookie: visitorCookie, now: () => 5000 }),
    readPins: () => pins,
    now: () => 5000,
  });
  const res = { append: (_name: string, value: string) => void cookies.push(value.split(';')[0] ?? '') };

  return {
    cookies,
    select: (url: string, cookie?: string, address?: string) =>
      select({ url, headers: { cookie } } as Request, res as unknown as Response, address),
  };
}

const versionOf = (selection: ReleaseSelection | Promise<ReleaseSelection>, unit = 'key-system') => {
  if (selection instanceof Promise) throw new Error('This selection had to be waited for.');
  const selected = selection.units.get(unit);
  return selected && `${selected.release.version} ${selected.source}`;
};

test('a canary at 10 % gets between 9.7 and 10.3 % of 100 000 fixed visitors', () => {
  let count = 0;
  for (let nth = 0; nth < 100_000; nth++)
    if (isInShare('key-system', '1.5.0', `visitor ${String(nth)}`, TEN_PERCENT)) count += 1;

  expect(count).toBeGreaterThanOrEqual(9_700);
  expect(count).toBeLessThanOrEqual(10_300);
});

test('each version of each unit has its own canary share, so that no visitor gets every canary', () => {
  const visitors = Array.from({ length: 2000 }, (_, nth) => `visitor ${String(nth)}`);
  const first = visitors.filter((visitor) => isInShare('key-system', '1.5.0', visitor, TEN_PERCENT));

  for (const [unit, version] of [
    ['key-system', '1.6.0'],
    ['tools', '1.5.0'],
  ] as const) {
    const both = first.filter((visitor) => isInShare(unit, version, visitor, TEN_PERCENT));
    expect(both.length / first.length).toBeLessThan(0.2);
  }
});

test('every server assigns a device to the same share', () => {
  const [one, other] = [createServer(WITH_CANARY), createServer(WITH_CANARY)];
  const urls = Array.from({ length: 1000 }, (_, nth) => `/key-system-1?hwid=device-${String(nth)}`);
  const sides = urls.map((url) => versionOf(one.select(url)));

  expect(urls.map((url) => versionOf(other.select(`${url}&zone=z`)))).toEqual(sides);
  expect(sides.filter((side) => side === '1.5.0 canary').length).toBeGreaterThan(50);
});

test('a device keeps its assignment with any cookies, and a visitor in a share stays in a larger one', () => {
  const { select, cookies } = createServer(WITH_CANARY);
  const larger = createServer(
    buildSnapshot([SHELL, STABLE], { 'key-system': { canary: { release: CANARY, share: 5000 } } }),
  );
  for (let nth = 0; nth < 200; nth++) {
    const url = `/key-system-1?hwid=device-${String(nth)}`;
    const side = versionOf(select(url));
    expect(versionOf(select(url, `__Host-v=${randomUUID()}`))).toBe(side);
    expect(versionOf(select('/api/federation/resolution', undefined, url))).toBe(side);
    if (side === '1.5.0 canary') expect(versionOf(larger.select(url))).toBe(side);
  }
  expect(cookies).toEqual([]);
});

test('without a device the browser’s cookie decides, and is set only while a canary is open', () => {
  const quiet = createServer(buildSnapshot([SHELL, STABLE]));
  expect(versionOf(quiet.select('/plans'))).toBe('1.4.0 stable');
  expect(quiet.cookies).toEqual([]);

  const { select, cookies } = createServer(WITH_CANARY);
  const sides = Array.from({ length: 200 }, () => versionOf(select('/plans?hwid=<>')));
  expect(new Set(cookies).size).toBe(200);
  expect(new Set(sides).size).toBe(2);
  expect(cookies.map((cookie) => versionOf(select('/plans', cookie)))).toEqual(sides);
  expect(cookies).toHaveLength(200);
});

test('visitors with the same canaries share one selection', () => {
  const { select } = createServer(WITH_CANARY);
  const selections = Array.from({ length: 100 }, (_, nth) => select(`/?hwid=device-${String(nth)}`));

  expect(new Set(selections).size).toBe(2);
});

test('a release is deselected when it loses files and reselected once whole, without a change of a channel', () => {
  let damage: string | undefined;
  let revision = 0;
  const older = release('key-system', '1.3.0');
  const { select } = createServer(buildSnapshot([SHELL, STABLE], { 'key-system': { lastGood: older } }), {
    health: { findDamage: ({ version }) => (version === '1.4.0' ? damage : undefined), revision: () => revision },
  });
  expect(versionOf(select('/plans'))).toBe('1.4.0 stable');

  [damage, revision] = ['entry.js is gone', 1];
  expect(versionOf(select('/plans'))).toBe('1.3.0 fallback');
  [damage, revision] = [undefined, 2];
  expect(versionOf(select('/plans'))).toBe('1.4.0 stable');
});

test('a release with missing files replaces no other', () => {
  const older = release('key-system', '1.3.0');
  const { select } = createServer(buildSnapshot([SHELL, STABLE], { 'key-system': { lastGood: older } }), {
    health: { findDamage: ({ unit }) => (unit === 'key-system' ? 'entry.js is gone' : undefined), revision: () => 0 },
  });

  const selection = select('/plans');
  expect(versionOf(selection)).toBe('1.4.0 stable');
  expect((selection as ReleaseSelection).units.get('key-system')?.lastGood).toBeUndefined();
});

test('a shell that failed in a browser is replaced there by the last good one, and remotes by compatible releases', () => {
  const { select } = createServer(
    buildSnapshot(
      [
        release('shell', '2.0.0', { contract: { version: '1.2' } }),
        release('tools', '2.0.0', { contract: { version: '1.2' } }),
        release('marketing', '2.0.0', { contract: { version: '1.0' } }),
      ],
      {
        shell: { lastGood: release('shell', '1.0.0', { contract: { version: '1.1' } }) },
        tools: { lastGood: release('tools', '1.0.0', { contract: { version: '1.1' } }) },
      },
    ),
  );

  const failed = select('/', 'a=b; failed-shell=2.0.0');
  expect(versionOf(failed, 'shell')).toBe('1.0.0 fallback');
  expect(versionOf(failed, 'tools')).toBe('1.0.0 fallback');
  expect(versionOf(failed, 'marketing')).toBe('2.0.0 stable');
  for (const cookie of ['failed-shell=1.0.0', 'failed-shell=<script>', 'failed-shell=', 'xfailed-shell=2.0.0'])
    expect(versionOf(select('/', cookie), 'shell')).toBe('2.0.0 stable');
});

test('pins override channels, and name a version or a channel', async () => {
  const pins: PinSession = {
    pins: { 'key-system': 'canary', shell: '0.9.0' },
    faults: { 'key-system': 'slow' },
    until: 9000,
  };
  const selection = await createServer(WITH_CANARY, { pins, older: [release('shell', '0.9.0')] }).select('/');

  expect(selection.units.get('key-system')).toMatchObject({ release: CANARY, source: 'pin', lastGood: STABLE });
  expect(selection.units.get('shell')).toMatchObject({ release: { version: '0.9.0' }, source: 'pin' });
  expect(selection.qa).toMatchObject({
    publicState: { pins: pins.pins, until: 9000 },
    faults: { 'key-system': 'slow' },
  });
  expect(selection.qa?.publicState.notice).toBeUndefined();
});

test('a pin of an unpublished or incompatible version is dropped, and the selection reports why', async () => {
  const wish = (pinned: Record<string, string>) =>
    createServer(WITH_CANARY, {
      pins: { pins: pinned, faults: {}, until: 9000 },
      older: [
        release('key-system', '2.0.0', { contract: { version: '1.7' } }),
        release('shell', '3.0.0', { contract: { version: '3.0' } }),
      ],
    }).select('/?hwid=device-3');

  const selection = await wish({ 'key-system': '2.0.0', tools: '9.9.9' });
  expect(selection.units.get('key-system')?.source).not.toBe('pin');
  expect(selection.qa?.publicState).toEqual({
    pins: { 'key-system': '2.0.0', tools: '9.9.9' },
    until: 9000,
    notice: 'tools@9.9.9 is not there. key-system@2.0.0 requires host API 1.7, the shell provides 1.0 (shell@1.0.0).',
  });
  // A shell that the remotes do not fit would break every page.
  expect((await wish({ shell: '3.0.0' })).units.get('shell')).toMatchObject({ release: SHELL, source: 'stable' });
});

test('a pin is dropped during a database outage', async () => {
  const registry = {
    snapshot: () => WITH_CANARY,
    find: () => Promise.reject(new Error('away')),
    refresh: () => Promise.resolve(),
  };
  const select = createReleaseSelector({
    registry,
    pseudonyms: createPseudonyms(PEPPER),
    visitorCookie: createVisitorCookie(PEPPER),
    ensureVisitorCookie: () => 'browser',
    readPins: () => ({ pins: { 'key-system': '1.2.0' }, faults: {}, until: 9000 }),
    now: () => 5000,
  });

  const selection = await select({ url: '/', headers: {} } as Request, {} as Response);
  expect(selection.qa?.publicState.notice).toBe('key-system@1.2.0 is not there.');
});

/** A request with these headers, as Express hands it to routes. */
function requestWith(headers: Record<string, string | undefined>): Request {
  return Object.assign(Object.create(express.request) as Request, { headers });
}

const TRANSLATIONS = { vi: { script: 'vi.js' }, it: { script: 'it.js' } };
const SELECTION = selectReleases(buildSnapshot([buildRelease('shell', { translations: TRANSLATIONS })]));

test.each<[string, { address?: string; cookie?: string; accept?: string }, string | undefined]>([
  ['the browser prefers one', { accept: 'vi-VN,vi;q=0.9,en;q=0.5' }, 'vi'],
  ['the browser prefers the original to it', { accept: 'en-US,vi;q=0.5' }, undefined],
  ['the browser prefers one that the site lacks', { accept: 'fr,it;q=0.4,en;q=0.2' }, 'it'],
  ['the browser takes only languages that the site lacks', { accept: 'fr' }, undefined],
  ['the browser takes any', { accept: '*' }, undefined],
  ['the browser says nothing', {}, undefined],
  ['the visitor has chosen another than the browser prefers', { cookie: 'lang=it', accept: 'vi' }, 'it'],
  ['the visitor has chosen the original', { cookie: 'a=1; lang=en', accept: 'vi' }, undefined],
  ['the visitor has chosen one that is gone', { cookie: 'lang=xx', accept: 'vi' }, 'vi'],
  ['the address names one', { address: '/plans?hwid=a&lang=it', cookie: 'lang=vi', accept: 'vi' }, 'it'],
  ['the address names the original', { address: '/plans?lang=en', cookie: 'lang=vi' }, undefined],
  ['the address names nonsense', { address: '/plans?lang=__proto__', cookie: 'lang=vi' }, 'vi'],
])('a page has the right language where %s', (_, { address = '/plans', cookie, accept }, language) => {
  expect(chooseLanguage(requestWith({ cookie, 'accept-language': accept }), SELECTION, address)).toBe(language);
});

test('a shell without translations offers only the original language', () => {
  const selection = selectReleases(buildSnapshot([buildRelease('shell')]));

  expect(chooseLanguage(requestWith({ 'accept-language': 'vi' }), selection, '/plans?lang=vi')).toBeUndefined();
});

const NEW_SHELL = buildRelease('shell', { version: '2.0.0', contract: { version: '1.2' } });
const OLDER_SHELL = buildRelease('shell', { version: '1.0.0', contract: { version: '1.0' } });
const TOOLS = buildRelease('tools', { version: '2.0.0', contract: { version: '1.2' } });
const OLDER_TOOLS = buildRelease('tools', { version: '1.0.0', contract: { version: '1.0' } });
const FOREIGN_TOOLS = buildRelease('tools', { version: '0.9.0', contract: { version: '0.9' } });

test('a unit without a stable release can be pinned', () => {
  const { units } = selectReleases(buildSnapshot([NEW_SHELL]), { pins: new Map([['tools', TOOLS]]) });

  expect(units.get('tools')).toEqual({ release: TOOLS, source: 'pin' });
});

test('an incompatible last good release is not offered as fallback', () => {
  const fitting = buildSnapshot([NEW_SHELL, TOOLS], { tools: { lastGood: OLDER_TOOLS } });
  const foreign = buildSnapshot([NEW_SHELL, TOOLS], { tools: { lastGood: FOREIGN_TOOLS } });

  expect(selectReleases(fitting).units.get('tools')).toMatchObject({ lastGood: OLDER_TOOLS });
  expect(selectReleases(foreign).units.get('tools')).toEqual({ release: TOOLS, source: 'stable' });
});

test('in an older shell a remote is replaced by its last good release, unless pinned', () => {
  const snapshot = buildSnapshot([NEW_SHELL, TOOLS], {
    shell: { lastGood: OLDER_SHELL },
    tools: { lastGood: OLDER_TOOLS },
  });
  const failedShell = NEW_SHELL.version;

  expect(selectReleases(snapshot, { failedShell }).units).toEqual(
    new Map([
      ['shell', { release: OLDER_SHELL, source: 'fallback' }],
      ['tools', { release: OLDER_TOOLS, source: 'fallback' }],
    ]),
  );
  const pins = new Map([['tools', TOOLS]]);
  expect(selectReleases(snapshot, { failedShell, pins }).units.get('tools')).toMatchObject({
    release: TOOLS,
    source: 'pin',
  });
});

test('a local unit has no translations of the release that it replaces', () => {
  const translated = buildRelease('tools', { version: '2.0.0', translations: { vi: { script: 'vi.js' } } });
  const usual = selectReleases(buildSnapshot([NEW_SHELL, translated]));
  const local = withLocalUnit(usual, 'tools', 'http://localhost:8080');

  expect(presentResolution(usual, undefined, 'vi').units['tools']).toHaveProperty('translations');
  expect(presentResolution(local, undefined, 'vi').units['tools']).not.toHaveProperty('translations');
});

test('remotes without a shell keep their selection', () => {
  const { units } = selectReleases(buildSnapshot([TOOLS], { tools: { lastGood: FOREIGN_TOOLS } }));

  expect(units.get('tools')).toEqual({ release: TOOLS, source: 'stable', lastGood: FOREIGN_TOOLS });
});
