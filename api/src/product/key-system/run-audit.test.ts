import { expect, test } from 'vitest';
import { createTestApi, type TestApi } from '#api/test/create-test-api.ts';
import { HWID, passCaptcha, walkRun, walkStep, ZONE } from '#api/test/product/visitor-steps.ts';
import { sealed } from '#api/test/sealed.ts';

/** The audit, without the server's own first event (its signing key). */
async function readAudit({ db }: TestApi): Promise<string[]> {
  await sealed(db);
  const events = await db
    .selectFrom('auditEvent')
    .select(['kind', 'code'])
    .where('kind', '<>', 'signing_key')
    .orderBy('seq')
    .execute();
  return events.map(({ kind, code }) => `${kind} ${code}`);
}

test('a run is on record from its first step to its key', async () => {
  const api = await createTestApi();
  await walkRun(api, { companion: true });

  expect(await readAudit(api)).toEqual([
    'run opened',
    'attempt verified',
    'attempt verified',
    'attempt verified',
    'run completed',
    'key issued',
  ]);
});

test('a refusal is on record, and so is the run that it ends', async () => {
  const api = await createTestApi();
  await passCaptcha(api);
  await walkStep(api, {}, 'wrong_proof');
  await walkStep(api);
  await walkStep(api, { step: 2 }, 'same_proof');

  expect(await readAudit(api)).toEqual([
    'run opened',
    'strike KS_PROOF',
    'attempt verified',
    'strike KS_REUSE',
    'run cancelled',
  ]);
});

test('the record tells of a device by its random id alone', async () => {
  const api = await createTestApi();
  await walkRun(api);

  const device = await api.db.selectFrom('device').selectAll().executeTakeFirstOrThrow();
  const { jti, jws } = await api.db.selectFrom('accessKey').selectAll().executeTakeFirstOrThrow();
  await sealed(api.db);
  const events = await api.db.selectFrom('auditEvent').selectAll().where('kind', '<>', 'signing_key').execute();
  expect(new Set(events.map(({ subject }) => subject))).toEqual(new Set([device.id]));
  expect(JSON.parse(events.at(-1)?.detail ?? '')).toMatchObject({ app: 'main', jti });
  for (const secret of [HWID, ZONE, device.hwidHmac, jws]) expect(JSON.stringify(events)).not.toContain(secret);
});
