import { expect, test } from 'vitest';
import type { Db } from '#api/foundation/db/schema.ts';
import { collectGarbage } from '#api/delivery/publishing/collect-garbage.ts';
import { describeEachDatabase } from '#api/test/databases/describe-each-database.ts';
import { makeRelease } from '#api/test/delivery/pack-release.ts';
import { createPublishFixture } from '#api/test/delivery/publish-fixture.ts';

const HOUR = 60 * 60 * 1000;

/** A site on which all browsers may pin, with a release of a month ago that no channel names. */
async function openFixture(db: Db) {
  const site = await createPublishFixture(db, undefined, { isOpen: true });
  await site.publish('tools', '0.2.0', makeRelease('tools', '0.2.0'));
  site.pass(31 * 24 * HOUR);
  return {
    ...site,
    pin: () => site.sendJson('/api/qa/pins', 'PUT', { pins: { tools: '0.2.0', shell: 'stable' }, faults: {} }),
    async collect() {
      const removed = await collectGarbage(site, { by: 'olga', at: site.now() });
      return removed.map(({ unit, version }) => `${unit}@${version}`);
    },
  };
}

type Site = Awaited<ReturnType<typeof openFixture>>;

describeEachDatabase('gc', (db) => {
  test.each([
    ['a pin link', (site: Site) => site.ask('/portfolio?pin=tools@0.2.0', { redirect: 'manual' })],
    ['the panel', (site: Site) => site.pin()],
  ])('a release pinned by %s is kept until the pin expires', async (_by, pin) => {
    const site = await openFixture(db());
    await pin(site);

    site.pass(8 * HOUR - 1);
    expect(await site.collect()).toEqual([]);
    site.pass(1);
    expect(await site.collect()).toEqual(['tools@0.2.0']);
  });

  test('a release is kept as long as a share link names it, even a newer one than the pin', async () => {
    const site = await openFixture(db());
    const cookie = (await site.pin()).headers.getSetCookie()[0]?.split(';')[0] ?? '';
    site.pass(5 * HOUR);
    const shared = await site.post('/api/qa/share', { path: '/portfolio' }, { cookie });
    expect(shared.status).toBe(200);

    site.pass(8 * HOUR - 1);
    expect(await site.collect()).toEqual([]);
    site.pass(1);
    expect(await site.collect()).toEqual(['tools@0.2.0']);
  });
});
