import { expect, test } from 'vitest';
import { describeEachDatabase } from '#api/test/databases/describe-each-database.ts';
import { createLog } from '#api/foundation/telemetry/log.ts';
import { createUptimeRecord, RECORD_INTERVAL_MS } from './record-uptime.ts';

const T0 = Date.parse('2026-12-30T23:58:10Z');

test('a turn that is late by a whole interval still finds its minute', () => {
  expect(2 * RECORD_INTERVAL_MS).toBeLessThanOrEqual(60_000);
});

describeEachDatabase('the uptime', (db) => {
  /** A server with a clock of its own. */
  function startServer(at: number) {
    let time = at;
    const logged: string[] = [];
    const log = createLog({ write: (line: string) => void logged.push(line) });
    const record = createUptimeRecord({ db: db(), log, now: () => time });
    return { logged, noteAt: (seconds: number) => ((time = at + seconds * 1000), record()) };
  }
  const list = () => db().selectFrom('uptimeDay').selectAll().orderBy('day').execute();

  test('a minute counts once, however many turns and servers note it, and belongs to its UTC day', async () => {
    const [one, other] = [startServer(T0), startServer(T0)];
    for (const seconds of [0, 15, 30, 60, 75, 120]) for (const server of [one, other]) await server.noteAt(seconds);
    // A server that starts again has noted nothing yet.
    await startServer(T0).noteAt(125);

    expect(await list()).toEqual([
      { day: '2026-12-30', firstMinute: 1438, lastMinute: 1439, minutes: 2 },
      { day: '2026-12-31', firstMinute: 0, lastMinute: 0, minutes: 1 },
    ]);
  });

  test('minutes without a server are left out', async () => {
    const server = startServer(T0 - 60 * 60_000);
    for (const minute of [0, 1, 5]) await server.noteAt(minute * 60);

    expect(await list()).toMatchObject([{ firstMinute: 1378, lastMinute: 1383, minutes: 3 }]);
  });

  test('a minute counts once for servers whose clocks differ', async () => {
    const [one, behind] = [startServer(T0), startServer(T0 - 60_000)];
    for (const seconds of [0, 60]) for (const server of [one, behind]) await server.noteAt(seconds);

    expect(await list()).toMatchObject([{ lastMinute: 1439, minutes: 2 }]);
  });

  test('a database that takes no writes is logged once, and the minute is noted when it does again', async () => {
    const logged: string[] = [];
    const log = createLog({ write: (line: string) => void logged.push(line) });
    let isAway = true;
    const database = new Proxy(db(), {
      get(target, name) {
        if (isAway) throw new Error('away');
        const value: unknown = Reflect.get(target, name);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
    const record = createUptimeRecord({ db: database, log, now: () => T0 });

    await record();
    await record();
    expect(logged.filter((line) => line.includes('the uptime cannot be noted'))).toHaveLength(1);

    isAway = false;
    await record();
    expect(await list()).toMatchObject([{ minutes: 1 }]);
  });
});
