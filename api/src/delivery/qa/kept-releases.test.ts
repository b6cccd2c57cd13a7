import { expect, test } from 'vitest';
import type { Db } from '#api/foundation/db/schema.ts';
import { collectGarbage } from '#api/delivery/publishing/collect-garbage.ts';
import { describeEachDatabase } from '#api/test/databases/describe-each-database.ts';
import { makeRelease } from '#api/test/delivery/pack-release.ts';
import { createPublishFixture } from '#api/test/delivery/publish-fixture.ts';

const HOUR = 60 * 60 * 1000;

/** A site on which everybody may pin, with a release of a month ago that no channel names. */
async function openStage(db: Db) {
  const stage = await createPublishFixture(db, undefined, { isOpen: true });
  await stage.publish('tools', '0.2.0', makeRelease('tools', '0.2.0'));
  stage.pass(31 * 24 * HOUR);
  const send = (path: string, method: string, body: object, cookie = '') =>
    stage.ask(path, {
      method,
      headers: { 'content-type': 'application/json', ...(cookie && { cookie }) },
      body: JSON.stringify(body),
    });
  return {
    ...stage,
    send,
    pin: () => send('/api/qa/pins', 'PUT', { pins: { tools: '0.2.0', shell: 'stable' }, faults: {} }),
    async collect() {
      const removed = await collectGarbage(stage, { by: 'olga', at: stage.now() });
      return removed.map(({ unit, version }) => `${unit}@${version}`);
    },
  };
}

type Stage = Awaited<ReturnType<typeof openStage>>;

describeEachDatabase('gc', (db) => {
  test.each([
    ['a pin link', (stage: Stage) => stage.ask('/portfolio?pin=tools@0.2.0', { redirect: 'manual' })],
    ['the panel', (stage: Stage) => stage.pin()],
  ])('a release that was pinned by %s stays until the pin ends', async (_by, pin) => {
    const stage = await openStage(db());
    await pin(stage);

    stage.pass(8 * HOUR - 1);
    expect(await stage.collect()).toEqual([]);
    stage.pass(1);
    expect(await stage.collect()).toEqual(['tools@0.2.0']);
  });

  test('a release stays as long as the share link that names it, which may be newer than the pin', async () => {
    const stage = await openStage(db());
    const cookie = (await stage.pin()).headers.getSetCookie()[0]?.split(';')[0];
    stage.pass(5 * HOUR);
    const shared = await stage.send('/api/qa/share', 'POST', { path: '/portfolio' }, cookie);
    expect(shared.status).toBe(200);

    stage.pass(8 * HOUR - 1);
    expect(await stage.collect()).toEqual([]);
    stage.pass(1);
    expect(await stage.collect()).toEqual(['tools@0.2.0']);
  });
});
