import { expect, test } from 'vitest';
import { createTestApi } from '#api/test/create-test-api.ts';
import { HWID, walkRun, ZONE } from '#api/test/visitor-steps.ts';

test('a finished run leaves its key in the audit, and nothing that names the visitor or opens an app', async () => {
  const api = await createTestApi();
  await walkRun(api);

  const { jti, deviceId, jws } = await api.db.selectFrom('accessKey').selectAll().executeTakeFirstOrThrow();
  const rows = await api.db.selectFrom('auditEvent').selectAll().execute();
  const written = JSON.stringify(rows);

  expect(rows.find(({ kind, code }) => kind === 'key' && code === 'issued')).toMatchObject({
    subject: deviceId,
    detail: JSON.stringify({ app: 'main', jti }),
  });
  const { hwidHmac } = await api.db.selectFrom('device').select('hwidHmac').executeTakeFirstOrThrow();
  for (const secret of [HWID, ZONE, hwidHmac, jws]) expect(written).not.toContain(secret);
});
