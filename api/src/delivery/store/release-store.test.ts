import { existsSync, readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '#api/test/make-folder.ts';
import { openReleaseStore } from './release-store.ts';
import { openRenderedStore } from './rendered-store.ts';

const NAME = { unit: 'tools', version: '1.0.0', shellVersion: '2.0.0', hash: 'abc'.padEnd(32, '0') };

/** A store of releases with the rendered pages of one. */
async function openWithPages() {
  const rendered = makeFolder();
  const store = await openReleaseStore(makeFolder(), rendered);
  await openRenderedStore(rendered).write(NAME, { '/a': { none: '<p>a</p>' } });
  return { store, rendered, file: join(rendered, readdirSync(rendered)[0] ?? '') };
}

test('a release leaves the store together with its rendered pages', async () => {
  const { store, rendered } = await openWithPages();

  await store.remove('tools', '1.0.0');

  expect(readdirSync(rendered)).toEqual([]);
});

test('rendered pages that no process has read for a week are leftovers', async () => {
  const { store, file } = await openWithPages();
  expect(await store.removeLeftovers()).toBe(0);

  utimesSync(file, 0, 0);

  expect(await store.removeLeftovers()).toBe(1);
  expect(existsSync(file)).toBe(false);
});
