import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UNITS, type Release, type Unit } from '@app/contracts/release';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { buildRelease, buildRoute } from '#api/test/build-release.ts';
import { openReleases, readReleases } from './read-releases.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'releases-'));
  for (const unit of UNITS) publish(unit);
});

afterEach(() => rmSync(folder, { recursive: true }));

test('the newest version of each unit is read, by number and not by letter', () => {
  publish('tools', { version: '0.9.0' });
  publish('tools', { version: '0.10.0' });

  expect(readReleases(folder).tools.version).toBe('0.10.0');
  expect(readReleases(folder).shell.version).toBe('0.1.0');
});

test('the releases of the start stay, those that are edited are read anew', () => {
  const served = openReleases(folder, { areEdited: false });
  const edited = openReleases(folder, { areEdited: true });
  publish('tools', { version: '0.2.0' });

  expect(served().tools.version).toBe('0.1.0');
  expect(edited().tools.version).toBe('0.2.0');
});

test('a unit without a release is named', () => {
  rmSync(join(folder, 'companion'), { recursive: true });

  expect(() => readReleases(folder)).toThrow('No release of companion');
});

test('a file that is no release is named', () => {
  writeFileSync(join(folder, 'tools/0.1.0/release.json'), '{"unit":"tools"}');

  expect(() => readReleases(folder)).toThrow('tools/0.1.0/release.json is not a release');
});

test('a remote for another major of the contract is refused', () => {
  publish('marketing', { contract: { requires: '2.0' } });

  expect(() => readReleases(folder)).toThrow('marketing@0.1.0 requires contract 2.0, the shell provides 1.0');
});

test('a remote for an earlier minor of the contract is served', () => {
  publish('shell', { contract: { provides: '1.4' } });

  expect(readReleases(folder).marketing.contract.requires).toBe('1.0');
});

test('two units cannot claim one path', () => {
  publish('tools', { routes: [buildRoute('/plans')] });
  publish('marketing', { routes: [buildRoute('/plans')] });

  expect(() => readReleases(folder)).toThrow('/plans is claimed by marketing and by tools');
});

function publish(unit: Unit, changes: Partial<Release> = {}) {
  const release = buildRelease(unit, changes);
  mkdirSync(join(folder, unit, release.version), { recursive: true });
  writeFileSync(join(folder, unit, release.version, 'release.json'), JSON.stringify(release));
}
