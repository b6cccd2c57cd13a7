import { expect, test } from 'vitest';
import { describeEachDatabase } from '#api/test/databases/describe-each-database.ts';
import { clientOf, createFixture, DWELL_MS, OWNER, VISITOR } from '#api/test/product/key-system-fixture.ts';

describeEachDatabase('with a ticket of a run that went to another zone meanwhile', (db) => {
  const STRANGER = clientOf('stranger', 'elsewhere');

  /** Two tickets of one step, the owner's and a stranger's, and a run that has moved to a new zone. */
  async function moveZone() {
    const { comeBack, leave, passCaptcha, says } = createFixture(db());
    await passCaptcha();
    const own = await leave();
    const strangers = await leave({ by: STRANGER, run: 'keep', visitor: { ...VISITOR, zone: 'strange' } });
    await leave({ visitor: { ...VISITOR, zone: 'new' } });
    says.time += DWELL_MS;
    const zoneOf = async (ticket: string, by = OWNER) => {
      const result = await comeBack(ticket, by);
      return 'visitor' in result ? result.visitor.zone : result;
    };
    return { own, strangers, zoneOf };
  }

  test('the browser that began it is led on with the new zone, and so is a visitor who brings its ticket', async () => {
    const { own, strangers, zoneOf } = await moveZone();

    expect(await zoneOf(own)).toBe('new');
    expect(await zoneOf(own, STRANGER)).toBe('new');
    expect(await zoneOf(strangers)).toBe('new');
  });

  test('any other visitor keeps the zone that they left with; so do runs from before the zone was kept', async () => {
    const { own, strangers, zoneOf } = await moveZone();

    expect(await zoneOf(strangers, STRANGER)).toBe('strange');
    await db().updateTable('run').set({ sealedZone: null }).execute();
    expect(await zoneOf(own)).toBe('zone-1');
  });

  test('a run that no browser is known of belongs to no ticket', async () => {
    const { strangers, zoneOf } = await moveZone();
    await db().updateTable('run').set({ visitorHmac: null }).execute();
    await db().updateTable('stepAttempt').set({ visitorHmac: null }).execute();

    expect(await zoneOf(strangers, clientOf(undefined))).toBe('strange');
  });
});
