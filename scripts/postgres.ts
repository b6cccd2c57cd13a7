import { withPostgres } from '../tools/machine/postgres.ts';
import { run } from '../tools/machine/run.ts';

/**
 * `node scripts/launch.mjs postgres npm test` starts a PostgreSQL server, runs a command with its TEST_DATABASE_URL, and
 * stops it.
 */
const [command = '', ...args] = process.argv.slice(2);
try {
  const env = (url: string) => ({ ...process.env, TEST_DATABASE_URL: url });
  await withPostgres(({ url }) => run(command, args, { env: env(url) }), { isDurable: false });
} catch {
  process.exitCode = 1;
}
