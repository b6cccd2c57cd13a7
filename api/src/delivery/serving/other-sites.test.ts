import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FEDERATION_MANIFEST } from '@app/contracts/unit';
import express, { type Router } from 'express';
import { expect, test } from 'vitest';
import { securityHeaders } from '#api/foundation/http/headers.ts';
import { buildRelease, buildSnapshot } from '#api/test/delivery/build-release.ts';
import { listen } from '#api/test/listen.ts';
import { makeFolder } from '#api/test/make-folder.ts';
import { editedRoutes, releasesRoutes } from './releases.routes.ts';

test('pages of other sites may load published files, and read no edited ones', async () => {
  const folder = makeFolder();
  const bytes = '{}';
  const release = buildRelease('tools', { files: { [FEDERATION_MANIFEST]: { sha384: 'x', bytes: bytes.length } } });
  mkdirSync(join(folder, 'tools/0.1.0'), { recursive: true });
  writeFileSync(join(folder, 'tools/0.1.0', FEDERATION_MANIFEST), bytes);

  const ofSites = async (router: Router) => {
    const url = await listen(express().use(securityHeaders({ baseUrl: () => 'http://localhost' }), router));
    const { status, headers } = await fetch(`${url}/releases/tools/0.1.0/${FEDERATION_MANIFEST}`);
    return [status, headers.get('access-control-allow-origin'), headers.get('cross-origin-resource-policy')];
  };
  expect(
    await ofSites(
      releasesRoutes(folder, { find: () => Promise.resolve(release), snapshot: () => buildSnapshot([release]) }),
    ),
  ).toEqual([200, '*', 'cross-origin']);
  expect(await ofSites(editedRoutes(folder))).toEqual([200, null, 'same-origin']);
});
