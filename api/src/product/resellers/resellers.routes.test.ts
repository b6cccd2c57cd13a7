import { SAMPLE_RESELLERS } from '@app/contracts/resellers';
import { expect, test } from 'vitest';
import { buildReseller } from '#api/test/build-rows.ts';
import { createTestApi, type TestApi } from '#api/test/create-test-api.ts';

async function readList(api: TestApi): Promise<unknown> {
  const res = await api.post('/api/resellers', {});
  expect(res.status).toBe(200);
  return res.json();
}

test('a development machine lists the sample resellers in their order', async () => {
  const api = await createTestApi({ demoData: true });

  expect(await readList(api)).toEqual(SAMPLE_RESELLERS);
});

test('in production no reseller is listed until an operator adds one', async () => {
  const api = await createTestApi();

  expect(await readList(api)).toEqual([]);
});

test('a reseller is listed with its public fields, without id, position and date', async () => {
  const api = await createTestApi();
  await api.db
    .insertInto('reseller')
    .values(buildReseller({ isArceusX: 1 }))
    .execute();

  expect(await readList(api)).toEqual([
    {
      name: 'Store',
      logo: 'mark-1',
      description: 'Sells plans.',
      discord: 'https://chat.store.example/',
      buyLink: 'https://store.example/',
      isArceusX: true,
      trusted: 100,
    },
  ]);
});

test.each([
  { what: 'buy link runs a script', changes: { buyLink: 'javascript:alert(1)' } },
  { what: 'buy link is plain http', changes: { buyLink: 'http://store.example/' } },
  { what: 'chat link is no address', changes: { discord: 'chat.store.example' } },
])('a reseller whose $what is left out and the others are listed', async ({ changes }) => {
  const api = await createTestApi();
  const rows = [buildReseller({ name: 'Bad', ...changes }), buildReseller({ name: 'Good' })];
  await api.db.insertInto('reseller').values(rows).execute();

  expect(await readList(api)).toMatchObject([{ name: 'Good' }]);
});

test('a request for resellers without a body is rejected', async () => {
  const api = await createTestApi();

  expect((await api.ask('/api/resellers', { method: 'POST' })).status).toBe(400);
});

test('without JavaScript the resellers are a page whose links are https only', async () => {
  const api = await createTestApi();
  const read = async () => (await api.visit('/api/resellers')).text();
  expect(await read()).toContain('No shop sells V5 right now.');

  await api.db
    .insertInto('reseller')
    .values([
      buildReseller({ id: 'a', name: 'A & B <shop>', buyLink: 'https://a.example/buy' }),
      buildReseller({ id: 'b', name: 'Evil', buyLink: 'javascript:alert(1)' }),
    ])
    .execute();

  const page = await read();
  expect(page).toContain('<a class="action" href="https://a.example/buy">A &amp; B &lt;shop&gt;</a>');
  expect(page).not.toContain('Evil');
});
