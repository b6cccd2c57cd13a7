import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openTestGroup } from './test/open-test-group.ts';

/** Three PostgreSQL start, copy each other and are promoted. */
const TEST_TIMEOUT_MS = 90_000;
const UNCONFIRMED_ROWS = 20_000;

/** Runs the operators' command until it says who is the primary, and returns that line. */
async function promoteOneOf(hosts: readonly string[], passFile: string): Promise<string | undefined> {
  const env = { ...process.env, PGPASSFILE: passFile };
  const command = spawn('deploy/postgresql/promote.sh', hosts, { stdio: ['ignore', 'pipe', 'ignore'], env });
  onTestFinished(() => void command.kill());
  for await (const line of createInterface(command.stdout)) if (line.endsWith('is the primary')) return line;
  return undefined;
}

test(
  'a former primary that became a standby without a new copy is not promoted, although its log is longer',
  async () => {
    const { folder, group } = await openTestGroup();
    const former = group.primary();
    const others = group.standbys();
    await former.query('create table written (what text)');
    for (const standby of others) await standby.stop();
    await former.query(`insert into written select 'unconfirmed' from generate_series(1, ${UNCONFIRMED_ROWS})`, {
      isConfirmed: false,
    });
    await former.kill();
    for (const standby of others) await standby.start();
    await group.promote();
    const [heir] = group.standbys();
    const [host, port] = group.primary().address.split(':');
    // Its user and its rights stay those of the file that is there.
    appendFileSync(
      join(folder, former.name, 'data/postgresql.auto.conf'),
      `primary_conninfo = 'host=${host} port=${port} user=replicator'\n`,
    );
    // Before the former primary is there: it would confirm what it does not have.
    await group.primary().query("insert into written values ('confirmed')");
    await former.start({ isStandby: true });
    await vi.waitUntil(() => former.said().includes('forked off'), { timeout: TEST_TIMEOUT_MS, interval: 50 });
    await group.primary().kill();

    const said = await promoteOneOf([former.address, heir?.address ?? ''], former.passFile);

    expect(said).toBe(`${heir?.address} is the primary`);
    expect(await heir?.query("select what from written where what = 'confirmed'")).toHaveLength(1);
  },
  TEST_TIMEOUT_MS,
);
