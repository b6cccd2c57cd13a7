import { problemSchema } from '@app/contracts/problem';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { buildRoute } from '#api/test/delivery/build-release.ts';
import { makeRelease, withServerBundle } from '#api/test/delivery/pack-release.ts';
import { createPublishFixture } from '#api/test/delivery/publish-fixture.ts';
import { remoteBundle } from '#api/test/delivery/server-bundles.ts';
import type { RenderAnswer, RenderOrder } from '#api/delivery/rendering/render-pages.ts';

/** A site whose renderer gives this answer. */
async function openSite(answerTo: (order: RenderOrder) => RenderAnswer) {
  let asked = 0;
  const site = await createPublishFixture(undefined, (order) => (asked++, Promise.resolve(answerTo(order))));
  return { ...site, timesAsked: () => asked };
}

function make(unit: string, version: string, paths: string[]) {
  const routes = paths.map((path) => buildRoute(path));
  return withServerBundle(makeRelease(unit, version, { routes }), remoteBundle({}));
}

test('a release that is refused for another reason, or known already, is not rendered', async () => {
  const { publish, timesAsked } = await openSite(() => ({ failure: 'The renderer was ended.' }));
  for (const status of [201, 200])
    expect((await publish('tools', '0.2.0', make('tools', '0.2.0', ['/portfolio']))).status).toBe(status);
  expect(timesAsked()).toBe(1);

  expect((await publish('tools', '0.3.0', make('tools', '0.3.0', ['/api/mine']))).status).toBe(422);
  expect(timesAsked()).toBe(1);
});

test('of a release whose pages all throw, ten are listed', async () => {
  const { publish } = await openSite(({ pages }) => ({
    rendered: pages.map((path) => ({ path, problem: 'Error: no heading' })),
  }));
  const paths = Array.from({ length: 12 }, (_, nth) => `/page-${String(nth)}`);
  const answer = await publish('marketing', '0.2.0', make('marketing', '0.2.0', paths));
  const { problems = [] } = v.parse(problemSchema, await answer.json());

  expect(problems[0]).toContain('/page-0 of marketing@0.2.0 in shell@0.1.0 throws: Error: no heading');
  expect(problems).toHaveLength(10);
});
