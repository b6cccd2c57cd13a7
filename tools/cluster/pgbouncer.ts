import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensurePackages } from '../machine/ensure-installed.ts';
import { freePort } from '../machine/free-port.ts';
import { isListening, unprivilegedUser } from '../machine/postgres.ts';
import { createSandbox } from './sandbox.ts';

/**
 * Starts PgBouncer in transaction mode in front of a PostgreSQL, as operators do who make it keep quiet about the settings
 * of a connection.
 * @param to the address of the PostgreSQL, with a user
 */
export async function startPgbouncer(folder: string, to: string) {
  await ensurePackages('pgbouncer');
  const { hostname, port, username, password, pathname } = new URL(to);
  const own = join(folder, 'pgbouncer');
  mkdirSync(own, { recursive: true });
  const ownPort = await freePort();
  const lines = [
    '[databases]',
    `* = host=${hostname} port=${port}`,
    '[pgbouncer]',
    'pool_mode = transaction',
    'ignore_startup_parameters = statement_timeout, lock_timeout, idle_in_transaction_session_timeout',
    'listen_addr = 127.0.0.1',
    `listen_port = ${ownPort}`,
    'unix_socket_dir =',
    'server_tls_sslmode = require',
    'auth_type = plain',
    'auth_file = /etc/pgbouncer/users',
  ];
  writeFileSync(join(own, 'pgbouncer.ini'), lines.join('\n'));
  writeFileSync(join(own, 'users'), `"${username}" "${password}"\n`);
  const program = createSandbox(
    { name: 'pgbouncer', files: { '/etc/pgbouncer': own }, data: {}, env: {}, owner: unprivilegedUser() },
    ['/usr/sbin/pgbouncer', '/etc/pgbouncer/pgbouncer.ini'],
    join(folder, 'pgbouncer.log'),
  );
  program.start();
  return {
    isReady: () => isListening(ownPort),
    url: `postgres://${username}:${password}@127.0.0.1:${ownPort}${pathname}`,
    close: () => program.kill(),
  };
}
