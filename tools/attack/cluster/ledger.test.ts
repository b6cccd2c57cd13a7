import { expect, onTestFinished, test } from 'vitest';
import { startPostgres } from '../../machine/postgres.ts';
import { queryPostgres } from '../../machine/query-postgres.ts';
import { keepLedger } from './ledger.ts';

const TEST_TIMEOUT_MS = 90_000;

test(
  'a host that lacks one acknowledged row is found, and one that has all is not',
  async () => {
    const { url, stop } = await startPostgres({ isDurable: false });
    onTestFinished(stop);
    const ledger = await keepLedger([url], []);
    const checkAfter = async (sql: string) => {
      await expect.poll(ledger.size).toBeGreaterThan(1);
      return ledger.check([{ name: 'pg1', siteUrl: url }], async () => void (await queryPostgres(url, sql)));
    };

    expect(await checkAfter('select')).toEqual([{ name: 'pg1', count: 0 }]);
    expect(await checkAfter('delete from ledger where id = (select min(id) from ledger)')).toEqual([
      { name: 'pg1', count: 1 },
    ]);
    await ledger.stop();
  },
  TEST_TIMEOUT_MS,
);
