import { expect, test } from 'vitest';
import { insertRun, T0 } from '#api/test/build-rows.ts';
import { describeEachDatabase } from '#api/test/databases/describe-each-database.ts';
import { moveRun } from './start-run.ts';
import { createRunsRepository } from '#api/product/key-system/runs.repository.ts';

const BACK = T0 + 20_000;
const HOUR = 60 * 60 * 1000;

describeEachDatabase('moving runs', (db) => {
  test('only the browser that began a run moves it, and only while there is something to move', async () => {
    const runs = createRunsRepository(db());
    const by = { browser: { hmac: 'browser', since: T0 - HOUR }, networks: ['network', 'yesterday'] as const };
    const run = await insertRun(db(), { by });
    const to = { zoneHmac: 'another zone', sealedZone: 'sealed' };

    expect(await moveRun({ db: db() }, run.id, to, { ...by, browser: undefined }, BACK)).toEqual({
      kind: 'not_theirs',
    });
    expect(await moveRun({ db: db() }, run.id, to, { ...by, browser: { hmac: 'other', since: 0 } }, BACK)).toEqual({
      kind: 'not_theirs',
    });
    expect(await runs.find(run.id)).toEqual(run);
    expect(await moveRun({ db: db() }, run.id, to, by, BACK)).toEqual({ kind: 'moved' });
    expect(await runs.find(run.id)).toMatchObject(to);
    await db().updateTable('run').set({ state: 'completed' }).execute();
    expect(await moveRun({ db: db() }, run.id, { ...to, zoneHmac: 'third zone' }, by, BACK)).toEqual({ kind: 'moved' });
    await db().updateTable('run').set({ state: 'expired' }).execute();
    expect(await moveRun({ db: db() }, run.id, { ...to, zoneHmac: 'zone' }, by, BACK)).toEqual({ kind: 'not_theirs' });
  });

  test('a run without a zone keeps none', async () => {
    const by = { browser: { hmac: 'browser', since: T0 - HOUR }, networks: ['network', 'yesterday'] as const };
    const run = await insertRun(db(), { by, zoneHmac: '' });
    const to = { zoneHmac: 'another zone', sealedZone: 'sealed' };

    expect(await moveRun({ db: db() }, run.id, to, by, BACK)).toEqual({ kind: 'not_theirs' });
    expect(await createRunsRepository(db()).find(run.id)).toEqual(run);
  });
});
