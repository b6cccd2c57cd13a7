import { expect, test } from 'vitest';
import { buildReseller } from '#api/test/build-rows.ts';
import { describeEachDatabase } from '#api/test/databases/describe-each-database.ts';
import { createResellersRepository } from './resellers.repository.ts';

describeEachDatabase('resellers', (db) => {
  test('resellers are listed by position with all their fields', async () => {
    const resellers = createResellersRepository(db());
    const [first, second] = [
      buildReseller({ position: 1, isArceusX: 1 }),
      buildReseller({ position: 2, trusted: null }),
    ];
    await db().insertInto('reseller').values([second, first]).execute();

    expect(await resellers.list()).toEqual([first, second]);
  });

  test('sample resellers fill an empty list once', async () => {
    const resellers = createResellersRepository(db());
    await resellers.seed([buildReseller({ id: 'sample-1', name: 'First start' })]);
    await resellers.seed([buildReseller({ id: 'sample-1', name: 'Second start' }), buildReseller({ id: 'sample-2' })]);

    expect((await resellers.list()).map(({ name }) => name)).toEqual(['First start']);
  });

  test('sample resellers are not added to a list with entries', async () => {
    const resellers = createResellersRepository(db());
    await db()
      .insertInto('reseller')
      .values(buildReseller({ id: 'real' }))
      .execute();
    await resellers.seed([buildReseller({ id: 'sample-1' })]);

    expect((await resellers.list()).map(({ id }) => id)).toEqual(['real']);
  });
});
