import type { ListedRelease } from '@app/contracts/registry';
import { screen, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { serveQa, LISTING, openPage, show } from '../../test/qa-page.ts';
import { ReleasesBoard } from './releases-board.tsx';

beforeEach(openPage);

test('all releases show publisher, failures, the reason of a halted canary, and locks', async () => {
  serveQa({ access: true, session: null });
  await show(<ReleasesBoard />);

  const unit = within(screen.getByRole('region', { name: 'key-system' }));
  expect(unit.getByText('The canary 1.4.0 was halted')).toBeDefined();
  expect(unit.getByText('Locked by oncall')).toBeDefined();
  const [, row] = unit.getAllByRole('row');
  expect(
    within(row ?? document.body)
      .getAllByRole('cell')
      .map(({ textContent }) => textContent),
  ).toEqual(['1.5.0Stable', '22 November, 10:00 by ci', 'a81f9c3e77', '2.2', '120 kB', '−4 kB', '3 of 120 networks']);
  expect(screen.getByText(/^3\.1\.0 for 10 % since 22 November/)).toBeDefined();
});

async function showShellWith(changes: Partial<ListedRelease>) {
  const [shell, ...others] = LISTING.units;
  const releases = shell?.releases.map((release) => ({ ...release, ...changes }));
  serveQa({ access: true, session: null }, { ...LISTING, units: [{ ...shell, releases }, ...others] });
  await show(<ReleasesBoard />);
  return within(screen.getByRole('region', { name: 'shell' }));
}

test('a release with damaged files is reported with the damage', async () => {
  const unit = await showShellWith({ damage: 'static/js/shell.js is gone' });

  expect(unit.getByText('2.0.0 is damaged on the disk of this server')).toBeDefined();
  expect(unit.getByText('static/js/shell.js is gone')).toBeDefined();
});

test('a release that was no canary shows failures without a total', async () => {
  const unit = await showShellWith({ networks: { served: 0, failed: 1 } });

  expect(unit.getByText('1 network')).toBeDefined();
  expect(unit.queryByText(/of 0/)).toBeNull();
});

test('a canary that is slower than the stable release is named with both medians', async () => {
  const slower = [{ timing: 'works', canaryMs: 1840, stableMs: 1310, visits: 612 }];
  const units = LISTING.units.map((listed) => (listed.unit === 'tools' ? { ...listed, slower } : listed));
  serveQa({ access: true, session: null }, { ...LISTING, units });
  await show(<ReleasesBoard />);

  const unit = within(screen.getByRole('region', { name: 'tools' }));
  expect(unit.getByText('The canary 3.1.0 is slower than the stable release')).toBeDefined();
  expect(unit.getByText(/^It works after 1,840 ms, not 1,310 ms\. Medians of 612 visits each/)).toBeDefined();
});
