import { movedSchema, registrySchema } from '@app/contracts/registry';
import type { Resolution } from '@app/contracts/resolution';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { addRelease } from '#api/test/delivery/add-release.ts';
import { createTestApi } from '#api/test/create-test-api.ts';
import { createDeployToken } from '#api/delivery/deploy-tokens/deploy-tokens.ts';

async function createSite() {
  const api = await createTestApi();
  const tokenOf = async (unit: string) =>
    (await createDeployToken(api, { unit, label: `${unit} CI`, days: 1 }, { by: 'olga', at: api.now() }))?.token ?? '';
  const tools = await tokenOf('tools');

  return {
    api,
    tokenOf,
    change: async (body: unknown, { unit = 'tools', token = tools } = {}) => {
      const res = await api.ask(`/api/channels/${unit}`, {
        method: 'PATCH',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body: JSON.stringify(body),
      });
      const { code, detail, problems } = (await res.clone().json()) as Record<string, unknown>;
      return { status: res.status, code, detail, problems, json: () => res.json() };
    },
    list: async (headers: Record<string, string>) => {
      const res = await api.ask('/api/releases', { headers });
      return res.ok ? v.parse(registrySchema, await res.json()) : res.status;
    },
  };
}

test('answers a change with the new channels and the token’s label', async () => {
  const { api, change } = await createSite();
  await addRelease(api.db, 'tools', '1.0.0');

  const changed = await change({ action: 'promote', version: '1.0.0' });

  expect(changed.status).toBe(200);
  expect(v.parse(movedSchema, await changed.json())).toMatchObject({
    outcome: 'moved',
    channels: { unit: 'tools', stable: '1.0.0', moved: { by: 'tools CI', at: api.now() } },
  });
});

test('the next request after the response gets the changed release', async () => {
  const { api, change } = await createSite();
  const served = async () => {
    const { units } = (await (await api.ask('/api/federation/resolution')).json()) as Resolution;
    return units['tools']?.version;
  };
  for (const version of ['1.0.0', '1.1.0']) await addRelease(api.db, 'tools', version);

  for (const version of ['1.0.0', '1.1.0']) {
    await change({ action: 'promote', version });
    expect(await served()).toBe(version);
  }
  await change({ action: 'rollback' });
  expect(await served()).toBe('1.0.0');
});

test('a rejected change has a reason and an error code of its own', async () => {
  const { api, change } = await createSite();
  await addRelease(api.db, 'tools', '1.0.0');
  await addRelease(api.db, 'tools', '2.0.0', { contract: { version: '9.0' } });
  await addRelease(api.db, 'shell', '1.0.0');
  await api.db.insertInto('channel').values({ unit: 'shell', stable: '1.0.0' }).execute();

  expect(await change({ action: 'promote', version: '9.9.9' })).toMatchObject({ status: 404, code: 'release.unknown' });
  expect(await change({ action: 'promote' })).toMatchObject({ status: 409, code: 'release.impossible' });
  expect(await change({ action: 'promote', version: '2.0.0' })).toMatchObject({
    status: 422,
    code: 'release.misfit',
    problems: ['tools@2.0.0 requires host API 9.0, the shell provides 1.0 (shell@1.0.0)'],
  });
  await change({ action: 'lock', reason: 'tournament' });
  expect(await change({ action: 'promote', version: '1.0.0' })).toMatchObject({
    status: 409,
    code: 'release.locked',
    problems: [expect.stringMatching(/^tools is locked by tools CI since .+: tournament$/)],
  });
});

test.each([
  { action: 'destroy' },
  { action: 'canary', percent: 0 },
  { action: 'canary', percent: 101 },
  { action: 'halt' },
  { action: 'lock', reason: ' ' },
  { action: 'lock', reason: 'ours\ntools: stable 9.9.9' },
  { action: 'halt', reason: 'back\u202ewards' },
  { action: 'promote', version: '../1.0.0' },
  'promote',
])('rejects %j as a change', async (body) => {
  const { change } = await createSite();
  expect(await change(body)).toMatchObject({ status: 400, code: 'request.invalid' });
});

test('threat 39: another team’s token changes nothing', async () => {
  const { api, change, tokenOf } = await createSite();
  await addRelease(api.db, 'tools', '1.0.0');

  const refused = await change({ action: 'promote', version: '1.0.0' }, { token: await tokenOf('marketing') });

  expect(refused).toMatchObject({
    status: 403,
    code: 'release.other_unit',
    detail: 'The deploy token is for marketing, not for tools.',
  });
  expect(await api.db.selectFrom('channel').selectAll().execute()).toEqual([]);
});

test('any unit’s token may list all units, and no other client may', async () => {
  const { api, change, tokenOf, list } = await createSite();
  await addRelease(api.db, 'tools', '1.0.0', {}, 1);
  await addRelease(api.db, 'tools', '1.1.0', { commit: 'abcdef0' }, 2);
  await change({ action: 'promote', version: '1.0.0' });
  await change({ action: 'canary', percent: 2.5 });
  const report = { unit: 'tools', version: '1.1.0', reason: null, reportedAt: 1 } as const;
  await api.db
    .insertInto('loadReport')
    .values([
      { ...report, kind: 'served', networkHmac: 'a' },
      { ...report, kind: 'served', networkHmac: 'b' },
      { ...report, kind: 'failed', networkHmac: 'b' },
    ])
    .execute();

  expect(await list({})).toBe(401);
  expect(await list({ authorization: `Bearer ${await tokenOf('marketing')}` })).toMatchObject({
    units: [
      { unit: 'shell' },
      { unit: 'companion' },
      { unit: 'key-system' },
      { unit: 'marketing' },
      {
        unit: 'tools',
        stable: '1.0.0',
        canary: { version: '1.1.0', percent: 2.5, since: api.now() },
        lastGood: null,
        releases: [
          { version: '1.1.0', publishedBy: 'tools team', commit: 'abcdef0', networks: { served: 2, failed: 1 } },
          { version: '1.0.0', commit: '0123abc', change: null, networks: { served: 0, failed: 0 } },
        ],
      },
    ],
  });
});

test('threat 39: no token is logged, whatever the outcome of the request', async () => {
  const { api, change, tokenOf } = await createSite();
  const token = await tokenOf('marketing');
  await change({ action: 'promote' }, { token });
  await api.ask(`/api/releases?token=${token}`);
  await api.db.destroy();
  await change({ action: 'promote' }, { token });

  expect(api.logged.join()).toContain('/api/channels/:unit');
  expect(api.logged.join()).not.toContain(token);
});
