import { expect, test } from 'vitest';
import { transact } from '#api/foundation/audit/transact.ts';
import { createTestApi } from '#api/test/create-test-api.ts';
import { startJobs } from './module.ts';
import { openAudit } from './open-audit.ts';

test('recorded events are sealed in the background, and a database outage does not stop the job', async () => {
  const { site, db, logged } = await createTestApi();
  await transact(db, {}, ({ record }) =>
    Promise.resolve(record({ at: site.now(), kind: 'device', code: 'blocked', subject: null })),
  );

  const [sealing] = startJobs([openAudit(site)]);
  await expect.poll(() => db.selectFrom('auditEvent').select('code').execute()).toContainEqual({ code: 'blocked' });
  await sealing?.[Symbol.asyncDispose]();

  await db.destroy();
  const [failing] = startJobs([openAudit(site)]);
  await failing?.[Symbol.asyncDispose]();
  expect(logged.join()).toContain('the audit cannot be sealed');
});
