import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { problemSchema } from '@app/contracts/errors';
import { Router } from 'express';
import { sql } from 'kysely';
import * as v from 'valibot';
import { expect, onTestFinished, test } from 'vitest';
import { createTestApi } from '#api/test/create-test-api.ts';
import { findDeadOrigin } from '#api/test/listen.ts';
import { withDialect } from './open-db.ts';
import { postgres, PROMPT } from './postgres.ts';

/** Takes connections and says nothing, as a server does that was stopped. */
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
])('a PostgreSQL that $what costs a 503 in time, for many at once', async ({ findHost }) => {
  const db = withDialect(postgres({ ...PROMPT, connectionString: `postgres://ada:word@${await findHost()}/site` }));
  onTestFinished(() => db.destroy());
  const asking = Router().get('/ask', async (_req, res) => void res.json(await sql`select 1`.execute(db)));
  const api = await createTestApi({ routers: [asking] });

  for (const res of await Promise.all(Array.from({ length: 25 }, () => api.ask('/ask')))) {
    expect(res.status).toBe(503);
    expect(res.headers.get('retry-after')).toBe('5');
    expect(v.parse(problemSchema, await res.json())).toMatchObject({ code: 'server.busy', retryable: true });
  }
});
