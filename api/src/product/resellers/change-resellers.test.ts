import { expect, test } from 'vitest';
import { buildReseller, T0 } from '#api/test/build-rows.ts';
import { describeEachDatabase } from '#api/test/databases/describe-each-database.ts';
import { changeResellers } from './change-resellers.ts';
import { createResellersRepository } from './resellers.repository.ts';
import { sealAudit } from '#api/test/sealed.ts';

const ACT = { by: 'ada', at: T0 + 1 };

describeEachDatabase('changes of resellers', (db) => {
  const insert = (...ids: string[]) =>
    db()
      .insertInto('reseller')
      .values(ids.map((id, index) => buildReseller({ id, position: index + 1 })))
      .execute();
  const readIds = async () => (await createResellersRepository(db()).listAll()).map(({ id }) => id);

  test('a new list of resellers replaces the old one and the changes are reported', async () => {
    await insert('a', 'b', 'c');

    const result = await changeResellers(
      { db: db() },
      ([a, b]) => (a && b ? [b, { ...a, id: 'd' }, { ...a, isHidden: true }] : []),
      ACT,
    );

    expect(result).toEqual({
      kind: 'changed',
      changes: { added: ['d'], changed: ['a'], moved: ['b'], removed: ['c'] },
    });
    expect(await readIds()).toEqual(['b', 'd', 'a']);
    expect((await createResellersRepository(db()).list()).map(({ id }) => id)).toEqual(['b', 'd']);
  });

  test('an unchanged list of resellers changes nothing and is not audited', async () => {
    await insert('a', 'b');

    expect(await changeResellers({ db: db() }, (list) => list, ACT)).toMatchObject({ kind: 'changed' });
    expect(await db().selectFrom('reseller').select('updatedAt').distinct().execute()).toEqual([{ updatedAt: T0 }]);
    expect(await (await sealAudit(db())).selectFrom('auditEvent').select('seq').execute()).toEqual([]);
  });

  test('a dry run and the removal of a reseller with codes change nothing', async () => {
    await insert('a', 'b');
    await db()
      .insertInto('licenceCode')
      .values({ id: 'code', codeHash: 'hash', resellerId: 'b', planId: 'plus', batchId: null, issuedAt: T0 })
      .execute();

    expect(await changeResellers({ db: db() }, ([a]) => (a ? [a] : []), ACT)).toEqual({
      kind: 'have codes',
      ids: ['b'],
    });
    expect(await changeResellers({ db: db() }, ([, b]) => (b ? [b] : []), ACT, true)).toMatchObject({
      changes: { removed: ['a'], moved: ['b'] },
    });
    expect(await readIds()).toEqual(['a', 'b']);
  });
});
