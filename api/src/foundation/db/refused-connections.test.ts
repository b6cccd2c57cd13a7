import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { TLSSocket } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { CERTIFICATE, KEY } from '#api/test/certificate.ts';
import { openPglite } from '#api/test/databases/pglite.ts';
import { makeFolder } from '#api/test/make-folder.ts';
import { openServerDb } from './open-server-db.ts';

/** A message of PostgreSQL's protocol. */
function message(type: string, ...parts: (string | number[])[]): Buffer {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part as string)));
  const head = Buffer.alloc(5, type);
  head.writeUInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

const WELCOME = Buffer.concat([message('R', [0, 0, 0, 0]), message('Z', 'I')]);
const GOODBYE = 'X'.charCodeAt(0);
const NO_SUCH_PARAMETER = message('E', 'SFATAL\0C08P01\0Munsupported startup parameter: statement_timeout\0', [0]);

/**
 * Starts something that takes connections for PostgreSQL.
 * @returns its port
 */
async function takeConnections(take: (socket: Socket, first: Buffer) => void): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined).once('data', (first) => take(socket, first));
    onTestFinished(() => void socket.destroy());
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return String((server.address() as AddressInfo).port);
}

const start = (port: string, query = '') =>
  openServerDb({ databaseUrl: `postgres://ada:word@127.0.0.1:${port}/site${query}`, dataDir: makeFolder() }).then(
    ({ close }) => close(),
  );

test.each([
  { does: 'ignores', said: 'settings of a connection do not reach it' },
  { does: 'refuses', said: 'unsupported startup parameter: statement_timeout' },
])('a connection pooler that $does the connection settings is rejected with one sentence', async ({ does, said }) => {
  const session = await openPglite();
  onTestFinished(() => session.close());
  await session.waitReady;
  const port = await takeConnections((socket, first) => {
    const isRefused = does === 'refuses' && first.includes('timeout');
    socket.write(isRefused ? NO_SUCH_PARAMETER : WELCOME);
    // One session for all connections, as a pooler gives them the one that is free.
    socket.on('data', (sent) => {
      if (sent[0] === GOODBYE) socket.end();
      else void session.execProtocolRaw(sent).then((answer) => socket.write(answer));
    });
  });

  await expect(start(port)).rejects.toMatchObject({
    name: 'EnvError',
    message: `DATABASE_URL: the database cannot be used (${said}); name PostgreSQL itself, not a pooler such as PgBouncer; each server has its own pool, DATABASE_POOL`,
  });
});

/** Starts a PostgreSQL with a certificate of its own, which knows nobody. */
function takeEncrypted(): Promise<string> {
  return takeConnections((socket) => {
    socket.write('S');
    const encrypted = new TLSSocket(socket, { isServer: true, key: KEY, cert: CERTIFICATE });
    encrypted.on('error', () => undefined);
    encrypted.once('data', () => encrypted.end(message('E', 'SFATAL\0C28000\0Mit knows no ada\0', [0])));
  });
}

test.each(['require', 'verify-full'])(
  'with sslmode=%s a certificate of an unknown authority is rejected, with the parameter to add to the address',
  async (mode) => {
    const starting = start(await takeEncrypted(), `?sslmode=${mode}`);

    await expect(starting).rejects.toMatchObject({
      name: 'EnvError',
      message: expect.stringMatching(
        /^DATABASE_URL: .*\(self-signed certificate.*; give the address sslmode=verify-full&sslrootcert=.*$/,
      ) as string,
    });
  },
);

test('with the authority’s file in the address its certificates are accepted', async () => {
  const file = join(makeFolder(), 'authority.pem');
  writeFileSync(file, CERTIFICATE);

  const starting = start(await takeEncrypted(), `?sslmode=verify-full&sslrootcert=${file}`);

  await expect(starting).rejects.toThrow(/^DATABASE_URL: the database cannot be used \(it knows no ada\)$/);
});

test('a missing authority file is named in one sentence', async () => {
  const starting = start(await takeEncrypted(), '?sslmode=verify-full&sslrootcert=/nowhere.pem');

  await expect(starting).rejects.toThrow(/^DATABASE_URL: the database cannot be used \(ENOENT.*'\/nowhere.pem'\)$/);
});
