import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Db } from '#api/foundation/db/schema.ts';
import { createDeployToken } from '#api/delivery/deploy-tokens/deploy-tokens.ts';
import { openRegistry } from '#api/delivery/registry/registry.ts';
import { createReleaseHealth } from '#api/delivery/store/release-health.ts';
import { openReleaseStore } from '#api/delivery/store/release-store.ts';
import { createPrerendering } from '#api/delivery/rendering/prerendering.ts';
import type { RenderPages } from '#api/delivery/rendering/render-pages.ts';
import type { TryEntry } from '#api/delivery/rendering/try-entry.ts';
import { promoteReleases } from '#api/delivery/channels/channel-changes.ts';
import { releasesRoutes } from '#api/delivery/serving/releases.routes.ts';
import { createTestApi, openEmptyDb } from '#api/test/create-test-api.ts';
import { makeFolder } from '#api/test/make-folder.ts';
import { buildRoute } from './build-release.ts';
import { makeRelease, packTar, type ReleaseFiles, withServerBundle } from './pack-release.ts';
import { SHELL_BUNDLE } from './server-bundles.ts';
import { SITE_SETTINGS } from './site-settings.ts';

/**
 * A site with a shell and the unit `tools` in version 0.1.0, to which teams publish.
 * @param isOpen whether all browsers may pin
 */
export async function createPublishFixture(
  given?: Db,
  renderPages?: RenderPages,
  { isOpen = false, tryEntry }: { isOpen?: boolean; tryEntry?: TryEntry } = {},
) {
  const db = given ?? (await openEmptyDb());
  const folder = join(makeFolder(), 'releases');
  const store = await openReleaseStore(folder);
  const prerendering =
    renderPages &&
    createPrerendering({
      releases: store,
      renderPages,
      ...(tryEntry && { tryEntry }),
      settings: SITE_SETTINGS,
      warn: () => undefined,
    });
  const health = createReleaseHealth(folder, () => undefined);
  const registry = await openRegistry(db, async (served) => {
    await health.inspect(served);
    await prerendering?.prepare(served, 500);
  });
  const act = { by: 'the fixture', at: Date.now() };
  const api = await createTestApi({
    db,
    releases: { store, registry, health, prerendering },
    files: [releasesRoutes(store.folder, registry, health)],
    pages: SITE_SETTINGS,
    qa: { accessKey: undefined, isOpen },
  });
  const tokens = new Map<string, string>();

  /** Uploads bytes as a release, with a token of its unit. */
  async function put(unit: string, version: string, body: Uint8Array<ArrayBuffer>, query = '') {
    const known = tokens.get(unit);
    const token =
      known ?? (await createDeployToken({ db }, { unit, label: `Team ${unit}`, days: 90 }, act))?.token ?? '';
    tokens.set(unit, token);
    return api.ask(`/api/releases/${unit}/${version}${query}`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${token}` },
      body,
    });
  }
  const publish = async (unit: string, version: string, files: ReleaseFiles, query = '') =>
    put(unit, version, new Uint8Array(gzipSync(await packTar(files))), query);

  const tokenOf = (unit: string) => tokens.get(unit) ?? '';

  for (const files of [
    withServerBundle(
      makeRelease('shell', '0.1.0', { contract: { version: '1.0', provides: { react: ['useState'] } } }),
      SHELL_BUNDLE,
    ),
    makeRelease('tools', '0.1.0', { routes: [buildRoute('/portfolio')] }),
  ]) {
    const unit = tokens.size === 0 ? 'shell' : 'tools';
    await publish(unit, '0.1.0', files);
    await promoteReleases({ db }, [{ unit, version: '0.1.0' }], act);
  }
  await registry.refresh();

  return {
    ...api,
    store,
    registry,
    prerendering,
    put,
    publish,
    tokenOf,
    /** Changes the channels of `tools`, as its team. */
    change: (change: object) =>
      api.sendJson('/api/channels/tools', 'PATCH', change, { authorization: `Bearer ${tokenOf('tools')}` }),
    /** The names in the folder of incoming releases. */
    incoming: () => readdirSync(join(folder, '.incoming')),
    /** Whether visitors have the page of the unit, and its code. */
    async isServed() {
      const [page, code] = await Promise.all([api.ask('/portfolio'), api.ask('/releases/tools/0.1.0/remoteEntry.js')]);
      return page.status === 200 && code.status === 200 && (await code.text()).includes('tools 0.1.0');
    },
  };
}
