import { join } from 'node:path';
import { type Release, releaseSchema } from '@app/contracts/release';
import * as v from 'valibot';
import { createPrerendering } from '#api/delivery/rendering/prerendering.ts';
import type { RenderAnswer, RenderOrder } from '#api/delivery/rendering/render-pages.ts';
import { makeFolder, writeFiles } from '#api/test/make-folder.ts';
import { buildRoute } from './build-release.ts';
import { makeRelease, withServerBundle } from './pack-release.ts';
import { SITE_SETTINGS } from './site-settings.ts';

/** Puts a release into the folder of a store. */
export function putRelease(
  folder: string,
  unit: string,
  version: string,
  paths: string[] = [],
  changes: Partial<Release> = {},
  code = `${unit} ${version}`,
): Release {
  const files = withServerBundle(
    makeRelease(unit, version, { routes: paths.map((path) => buildRoute(path)), ...changes }),
    code,
  );
  writeFiles(join(folder, unit, version), files);
  return v.parse(releaseSchema, JSON.parse(String(files.get('release.json'))));
}

/** A store with a shell and a remote, and a renderer that answers when it is told to. */
export function openPrerenderingFixture(
  answerTo?: (order: RenderOrder) => RenderAnswer | Promise<never>,
  folder = makeFolder(),
  settings = SITE_SETTINGS,
  renderTimeoutMs = 10_000,
) {
  const orders: RenderOrder[] = [];
  const answers: ((answer?: RenderAnswer) => void)[] = [];
  const warned: string[] = [];
  let at = 0;
  const inHtml = ({ remote, pages }: RenderOrder): RenderAnswer => ({
    rendered: pages.map((path) => ({ path, html: { none: `${remote.unit} ${remote.version} ${path}` } })),
  });
  const prerendering = createPrerendering({
    releases: { folder, renderedFolder: join(folder, '.rendered') },
    settings,
    warn: ({ problem }) => warned.push(problem),
    now: () => at,
    renderTimeoutMs,
    renderPages: (order) => {
      orders.push(order);
      if (answerTo) return Promise.resolve(answerTo(order));
      return new Promise((resolve) => answers.push((answer = inHtml(order)) => resolve(answer)));
    },
  });
  const shell = putRelease(folder, 'shell', '1.0.0');
  const remote = putRelease(folder, 'tools', '1.0.0', ['/a', '/b']);
  return { ...prerendering, folder, orders, answers, warned, shell, remote, pass: (ms: number) => (at += ms) };
}
