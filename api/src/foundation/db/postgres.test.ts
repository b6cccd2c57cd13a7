import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { problemSchema } from '@app/contracts/problem';
import { Router } from 'express';
import { sql } from 'kysely';
import * as v from 'valibot';
import { expect, onTestFinished, test } from 'vitest';
import { describeRace } from '#api/test/databases/describe-each-database.ts';
import { createTestApi } from '#api/test/create-test-api.ts';
import { findDeadOrigin } from '#api/test/listen.ts';
import { DatabaseUnavailable, toUnavailable } from './database-unavailable.ts';
import { withDialect } from './open-db.ts';
import type { PoolLoad } from '#api/foundation/telemetry/pool-metrics.ts';
import { postgres, VISITOR_TIMEOUTS } from './postgres.ts';

/** A server that accepts connections and never answers, like a stopped PostgreSQL. */
async function startMute(): Promise<string> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => void sockets.push(socket)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `127.0.0.1:${String((server.address() as AddressInfo).port)}`;
}

test.each([
  { what: 'does not answer', findHost: startMute },
  { what: 'is not there', findHost: async () => new URL(await findDeadOrigin()).host },
])('a PostgreSQL that $what causes a 503 within the timeout, also for concurrent requests', async ({ findHost }) => {
  const db = withDialect(
    postgres({
      ...VISITOR_TIMEOUTS,
      connectionTimeoutMillis: 2000,
      connectionString: `postgres://ada:word@${await findHost()}/site`,
    }),
  );
  onTestFinished(() => db.destroy());
  const asking = Router().get('/ask', async (_req, res) => void res.json(await sql`select 1`.execute(db)));
  const api = await createTestApi({ files: [asking] });

  for (const res of await Promise.all(Array.from({ length: 25 }, () => api.ask('/ask')))) {
    expect(res.status).toBe(503);
    expect(res.headers.get('retry-after')).toBe('5');
    expect(v.parse(problemSchema, await res.json())).toMatchObject({ code: 'server.busy', retryable: true });
  }
});

test.each([
  { code: '58030', isAway: true },
  { code: '58P01', isAway: true },
  { code: '53100', isAway: true },
  { code: '57P01', isAway: true },
  { code: '23505', isAway: false },
])('the error code $code means that PostgreSQL is temporarily unavailable: $isAway', ({ code, isAway }) => {
  const error = toUnavailable(Object.assign(new Error('It said no.'), { code }));

  expect(error instanceof DatabaseUnavailable).toBe(isAway);
});

test('threat 48: a request beyond the connection queue’s limit is rejected at once, and the process stays responsive', async () => {
  let readPool = (): PoolLoad | undefined => undefined;
  const db = withDialect(
    postgres(
      {
        ...VISITOR_TIMEOUTS,
        connectionTimeoutMillis: 5000,
        max: 1,
        connectionString: `postgres://ada:word@${await startMute()}/site`,
      },
      { watchPool: (read) => (readPool = read) },
    ),
  );
  onTestFinished(() => db.destroy());
  const asking = Router().get('/ask', async (_req, res) => void res.json(await sql`select 1`.execute(db)));
  const api = await createTestApi({ files: [asking] });
  const ended: string[] = [];
  const waiting = Array.from({ length: 21 }, () =>
    sql`select 1`.execute(db).catch((error: unknown) => void ended.push(String(error))),
  );
  await expect.poll(() => readPool()).toEqual({ open: 1, idle: 0, waiting: 20, maxWaiting: 20 });

  const refused = await api.ask('/ask');

  expect(refused.status).toBe(503);
  expect(refused.headers.get('retry-after')).toBe('5');
  expect((await api.ask('/healthz')).status).toBe(200);
  expect(ended).toEqual([]);
  expect(api.logged.join('')).not.toContain('request failed');
  await Promise.all(waiting);
  expect(ended).toHaveLength(21);
});

test('a new connection to PostgreSQL sets time-outs of statements, locks and idle transactions', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const greeting = once(server, 'connection').then(async (args) => {
    const [socket] = args as [Socket];
    const [first] = (await once(socket, 'data')) as [Buffer];
    socket.destroy();
    return first.toString().split('\0');
  });
  const db = withDialect(
    postgres({
      ...VISITOR_TIMEOUTS,
      connectionString: `postgres://ada:word@127.0.0.1:${String((server.address() as AddressInfo).port)}/site`,
    }),
  );
  onTestFinished(() => db.destroy());

  await expect(sql`select 1`.execute(db)).rejects.toThrow();

  const said = await greeting;
  const after = (name: string) => said[said.indexOf(name) + 1];
  expect([after('statement_timeout'), after('lock_timeout'), after('idle_in_transaction_session_timeout')]).toEqual([
    '6000',
    '4000',
    '10007',
  ]);
});

describeRace('a host that takes no writes', () => {
  const url = new URL(process.env['TEST_DATABASE_URL'] ?? 'postgres://unused');

  test('cannot be used at the address, although it answers reads', async () => {
    const standby = new URL(url);
    standby.searchParams.set('options', '-c default_transaction_read_only=on');
    const db = withDialect(postgres({ ...VISITOR_TIMEOUTS, connectionString: standby.href }));
    onTestFinished(() => db.destroy());

    await expect(sql`select 1`.execute(db)).rejects.toThrow(new DatabaseUnavailable('it takes no writes'));
  });

  test('loses its connections when it says so', async () => {
    const db = withDialect(postgres({ ...VISITOR_TIMEOUTS, connectionString: url.href }));
    onTestFinished(() => db.destroy());
    const pidOf = async () => (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)).rows[0]?.pid;
    const pid = await pidOf();

    // As a primary that was made a standby says it.
    const demoted = sql`do $$ begin raise exception 'read-only' using errcode = '25006'; end $$`.execute(db);

    await expect(demoted).rejects.toThrow(DatabaseUnavailable);
    expect(await pidOf()).not.toBe(pid);
  });
});
