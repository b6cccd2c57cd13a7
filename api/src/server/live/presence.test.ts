import { expect, test } from 'vitest';
import { describeEachDatabase } from '#api/test/databases/describe-each-database.ts';
import { createPresence } from './presence.ts';

describeEachDatabase('presence', (db) => {
  const open = (name: string, elapsedMs = () => 0) => createPresence({ db: db(), name, elapsedMs });

  /** Makes what a server said last older. */
  const age = (name: string, ms: number) =>
    db()
      .updateTable('server')
      .set((eb) => ({ seenAt: eb('seenAt', '-', ms) }))
      .where('name', '=', name)
      .execute();

  test('a row with a future time is ignored', async () => {
    const [one, two] = [open('one'), open('two')];
    await two.exchange(7);
    await age('two', -3_600_000);

    expect(await one.exchange(5)).toBe(0);
  });

  test('each server learns how many sockets are open at the others', async () => {
    const [one, two, three] = [open('one'), open('two'), open('three')];

    expect(await one.exchange(5)).toBe(0);
    expect(await two.exchange(7)).toBe(5);
    expect(await three.exchange(0)).toBe(12);
    expect(await one.exchange(6)).toBe(7);
    expect(await two.exchange(7)).toBe(6);
  });

  test('a dead server expires after ten seconds, and counts again from its next heartbeat', async () => {
    const elapsed = { ms: 0 };
    const [one, two] = [open('one'), open('two', () => elapsed.ms)];
    await two.exchange(7);

    await age('two', 9000);
    expect(await one.exchange(5)).toBe(7);
    await age('two', 1001);
    expect(await one.exchange(5)).toBe(0);

    elapsed.ms = 2000;
    await two.exchange(7);
    expect(await one.exchange(5)).toBe(7);
  });

  test('a stopping server is removed at once, together with long expired ones', async () => {
    const [one, two, old] = [open('one'), open('two'), open('old')];
    await old.exchange(1);
    await age('old', 25 * 60 * 60 * 1000);
    await two.exchange(7);
    await two.leave();

    expect(await one.exchange(5)).toBe(0);
    expect(await db().selectFrom('server').select('name').execute()).toEqual([{ name: 'one' }]);
  });

  test('a server missing from a promoted standby registers again', async () => {
    const elapsed = { ms: 0 };
    const [one, two] = [open('one'), open('two', () => elapsed.ms)];
    await two.exchange(7);
    await db().deleteFrom('server').execute();
    expect(await one.exchange(5)).toBe(0);

    elapsed.ms = 2000;
    await two.exchange(7);
    expect(await one.exchange(5)).toBe(7);
  });
});
