import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { expect, onTestFinished, test, vi } from 'vitest';
import { describeRace } from '#api/test/databases/describe-each-database.ts';
import { findDeadOrigin } from '#api/test/listen.ts';
import { openLine } from '../../../../tools/cluster/database-line.ts';
import { DatabaseUnavailable } from './database-unavailable.ts';
import { withDialect } from './open-db.ts';
import { postgres, VISITOR_TIMEOUTS } from './postgres.ts';
import type { Db } from './schema.ts';
import { chooseHost, createWritableHost, type HostAnswer } from './writable-host.ts';

const READ_WRITE_PARAMETER = 'target_session_attrs=read-write';

/** Opens a database through the same server under several addresses: of `hosts`, as one address. */
function open(hosts: readonly string[], { username, password, pathname }: URL, more = ''): Db {
  const db = withDialect(
    postgres({
      ...VISITOR_TIMEOUTS,
      connectionString: `postgres://${username}:${password}@${hosts.join()}${pathname}?${READ_WRITE_PARAMETER}${more}`,
    }),
  );
  onTestFinished(() => db.destroy());
  return db;
}

test('without a writable host each host is reported with its reason, and without the password', async () => {
  const dead = [new URL(await findDeadOrigin()).host, new URL(await findDeadOrigin()).host];
  const db = open(dead, new URL('postgres://ada:secret-word@unused/site'));

  const error = (await sql`select 1`.execute(db).catch((thrown: unknown) => thrown)) as Error;

  expect(error).toBeInstanceOf(DatabaseUnavailable);
  expect(error.message).toBe(
    `no host takes writes; ${dead[0]}: connect ECONNREFUSED ${dead[0]}; ${dead[1]}: connect ECONNREFUSED ${dead[1]}`,
  );
});

const HOSTS = ['postgres://one/site', 'postgres://two/site', 'postgres://three/site'];
const says = (timeline: number, isWritable: boolean): PromiseSettledResult<HostAnswer> => ({
  status: 'fulfilled',
  value: { timeline, isWritable },
});
const UNREACHABLE: PromiseSettledResult<HostAnswer> = { status: 'rejected', reason: new Error('it is gone') };

test('of two writable hosts, the one on the newest timeline is chosen', () => {
  expect(chooseHost(HOSTS, [says(1, true), says(2, true), says(2, false)], 2)).toBe(HOSTS[1]);
});

test('a lagging standby and an unreachable host are ignored', () => {
  expect(chooseHost(HOSTS, [UNREACHABLE, says(2, true), says(1, false)], 2)).toBe(HOSTS[1]);
});

test('a restarted former primary is not used, even if no other host is writable', () => {
  expect(() => chooseHost(HOSTS, [says(1, true), UNREACHABLE, says(2, false)], 2)).toThrow(
    new DatabaseUnavailable(
      'no host takes writes; one: it was the primary before another one; two: it is gone; three: it takes no writes',
    ),
  );
});

/** Looks for the host among `HOSTS`, whose answers the test decides; without one a host does not answer. */
function openLooking(said: readonly (HostAnswer | undefined)[]) {
  const asked: string[] = [];
  let answers = said;
  const host = createWritableHost(HOSTS, (url) => {
    asked.push(url);
    const answer = answers[HOSTS.indexOf(url)];
    return answer ? Promise.resolve(answer) : Promise.reject(new Error('it is gone'));
  });
  return { host, asked, say: (next: readonly (HostAnswer | undefined)[]) => void (answers = next) };
}

const PRIMARY = { timeline: 1, isWritable: true };
const STANDBY = { timeline: 1, isWritable: false };
const PROMOTED = { timeline: 2, isWritable: true };

test('a returning former primary is not used, even if no reachable host knows of the promotion', async () => {
  const { host, say } = openLooking([undefined, PROMOTED, undefined]);
  expect(await host.find()).toBe(HOSTS[1]);
  host.forget(HOSTS[1]!);
  say([PRIMARY, undefined, undefined]);

  await expect(host.find()).rejects.toThrow('one: it was the primary before another one');
});

test('a late failure of the previous host does not discard the new one', async () => {
  const { host, asked, say } = openLooking([PRIMARY, STANDBY, STANDBY]);
  await host.find();
  host.forget(HOSTS[0]!);
  say([undefined, PROMOTED, STANDBY]);
  await host.find();
  const looked = asked.length;

  host.forget(HOSTS[0]!);

  expect(await host.find()).toBe(HOSTS[1]);
  expect(asked).toHaveLength(looked);
});

test('without a writable host the search is retried after a pause, not for each request', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { host, asked, say } = openLooking([]);
  for (let requests = 0; requests < 5; requests++) await expect(host.find()).rejects.toThrow(DatabaseUnavailable);
  expect(asked).toEqual(HOSTS);

  say([PRIMARY, STANDBY, STANDBY]);
  await vi.advanceTimersByTimeAsync(250);

  expect(await host.find()).toBe(HOSTS[0]);
});

/** Looks among `HOSTS`, of which each answers after its time, in milliseconds; where it is missing, never. */
async function openSlow(delays: readonly (number | undefined)[]) {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const answers: HostAnswer[] = [PRIMARY, STANDBY, STANDBY];
  const asked: string[] = [];
  let late: readonly (number | undefined)[] = [0, 0, 0];
  const host = createWritableHost(HOSTS, (url) => {
    asked.push(url);
    const nth = HOSTS.indexOf(url);
    const [answer, delay] = [answers[nth]!, late[nth]];
    return new Promise((resolve) => {
      if (delay !== undefined) setTimeout(() => resolve(answer), delay);
    });
  });
  const first = host.find();
  await vi.advanceTimersByTimeAsync(0);
  host.forget(await first);
  late = delays;
  return { host, answers, asked, delay: (next: readonly number[]) => void (late = next) };
}

test('an unresponsive primary does not delay the discovery of the promoted one', async () => {
  const { host, answers } = await openSlow([undefined, 0, 0]);
  const before = host.find();
  const refused = expect(before).rejects.toThrow('one: no answer; two: it takes no writes');
  await vi.advanceTimersByTimeAsync(500);
  await refused;
  answers[1] = PROMOTED;

  await vi.advanceTimersByTimeAsync(250);
  const found = host.find();
  await vi.advanceTimersByTimeAsync(500);

  expect(await found).toBe(HOSTS[1]);
});

test('a primary that answers after the search timeout is used after its answer', async () => {
  const { host } = await openSlow([900, 0, 0]);
  const refused = expect(host.find()).rejects.toThrow('one: no answer');
  await vi.advanceTimersByTimeAsync(500);
  await refused;

  await vi.advanceTimersByTimeAsync(400);

  expect(await host.find()).toBe(HOSTS[0]);
});

test('of two primaries the newer is used as soon as it answers, however late', async () => {
  const { host, answers } = await openSlow([0, 700, 0]);
  answers[1] = PROMOTED;
  const found = host.find();
  await vi.advanceTimersByTimeAsync(500);
  expect(await found).toBe(HOSTS[0]);

  await vi.advanceTimersByTimeAsync(200);
  const foundAgain = host.find();
  await vi.advanceTimersByTimeAsync(700);

  expect(await foundAgain).toBe(HOSTS[1]);
});

test('a slow primary is found under constant requests', async () => {
  const { host } = await openSlow([900, 0, 0]);
  const tries = async () => {
    for (let ms = 0; ms < 900; ms += 50) {
      host.find().catch(() => undefined);
      await vi.advanceTimersByTimeAsync(50);
    }
  };

  await tries();

  expect(await host.find()).toBe(HOSTS[0]);
});

test('an answer from before a lost connection is ignored', async () => {
  const { host, asked, delay } = await openSlow([600, 2000, 0]);
  const refused = expect(host.find()).rejects.toThrow(DatabaseUnavailable);
  await vi.advanceTimersByTimeAsync(750);
  await refused;
  delay([0, 0, 0]);
  const found = host.find();
  await vi.advanceTimersByTimeAsync(0);
  expect(await found).toBe(HOSTS[0]);

  host.forget(HOSTS[0]!);
  await vi.advanceTimersByTimeAsync(2000);
  const looked = asked.length;
  host.find().catch(() => undefined);

  expect(asked.length).toBeGreaterThan(looked);
});

test('a starting server waits for every host, so that it learns of a promotion', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const answers: [HostAnswer, number][] = [
    [PRIMARY, 0],
    [PROMOTED, 1500],
    [STANDBY, 0],
  ];
  const host = createWritableHost(HOSTS, (url) => {
    const [answer, delay] = answers[HOSTS.indexOf(url)]!;
    return new Promise((resolve) => void setTimeout(() => resolve(answer), delay));
  });

  const found = host.find();
  await vi.advanceTimersByTimeAsync(1500);

  expect(await found).toBe(HOSTS[1]);
});

test('a host that accepts a connection and never answers times out', async () => {
  const greeting = Buffer.from([...Buffer.from('R'), 0, 0, 0, 8, 0, 0, 0, 0, ...Buffer.from('Z'), 0, 0, 0, 5, 0x49]);
  const mute = createServer((socket) => {
    socket.once('data', () => socket.write(greeting)).on('error', () => undefined);
    onTestFinished(() => void socket.destroy());
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void mute.close());
  await once(mute, 'listening');
  const host = `127.0.0.1:${String((mute.address() as AddressInfo).port)}`;
  const db = open([host, new URL(await findDeadOrigin()).host], new URL('postgres://ada:word@unused/site'));

  await expect(sql`select 1`.execute(db)).rejects.toThrow(`${host}: Query read timeout`);
});

describeRace('of several hosts', () => {
  const server = new URL(process.env['TEST_DATABASE_URL'] ?? 'postgres://unused');

  /** Opens two lines to the server, until the test is over. */
  async function openTwo() {
    const lines = [await openLine(server.host), await openLine(server.host)] as const;
    onTestFinished(async () => void (await Promise.all(lines.map((line) => line.break('refused')))));
    return lines;
  }

  test('the writable host is found, and another one after its failure', async () => {
    const [one, two] = await openTwo();
    await one.break('refused');
    const db = open([one.address, two.address], server);
    await sql`select 1`.execute(db);

    await one.mend();
    await two.break('refused');

    await vi.waitFor(() => sql`select 1`.execute(db));
  });

  test('the search’s connection to a host is closed after the answer', async () => {
    const host = `${server.hostname}:${server.port}`;
    const db = open([host, host.replace('127.0.0.1', 'localhost')], server, '&application_name=asked');
    const countConnections = async () =>
      (await sql`select from pg_stat_activity where application_name = 'asked'`.execute(db)).rows.length;

    await vi.waitFor(async () => expect(await countConnections()).toBe(1));
  });

  test('a host that became read-only is not used again, and its connection is closed', async () => {
    const db = open(
      (await openTwo()).map(({ address }) => address),
      server,
    );
    const pidOf = async () => (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)).rows[0]?.pid;
    const pid = await pidOf();

    // As a primary that was made a standby says it.
    const demoted = sql`do $$ begin raise exception 'read-only' using errcode = '25006'; end $$`.execute(db);

    await expect(demoted).rejects.toThrow(DatabaseUnavailable);
    expect(await pidOf()).not.toBe(pid);
  });
});
