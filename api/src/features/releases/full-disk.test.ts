import { expect, test } from 'vitest';
import { createTestApi, openEmptyDb } from '#api/test/create-test-api.ts';
import { makeFolder } from '#api/test/make-folder.ts';
import { publishRoutes } from './publish.routes.ts';
import { openReleaseStore } from './release-store.ts';

test.each(['ENOSPC', 'EDQUOT'])('a disk that has no room for a folder either (%s) is full', async (code) => {
  const db = await openEmptyDb();
  const store = await openReleaseStore(makeFolder());
  const stage = () => Promise.reject(Object.assign(new Error('mkdir'), { code }));
  const api = await createTestApi({
    db,
    routers: [
      publishRoutes({
        releases: { db, store: { ...store, stage }, now: Date.now },
        requireToken: (_req, res, next) => {
          res.locals['deployer'] = 'Team tools';
          next();
        },
      }),
    ],
  });

  const answer = await api.ask('/releases/tools/0.2.0', { method: 'PUT', body: 'x' });
  expect(answer.status).toBe(503);
  expect(await answer.json()).toMatchObject({ code: 'server.full' });
});
