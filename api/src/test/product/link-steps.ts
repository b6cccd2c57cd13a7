import { expect } from 'vitest';
import type { Db } from '#api/foundation/db/schema.ts';
import { createTestApi, type TestApi } from '#api/test/create-test-api.ts';
import { insertLicence } from './insert-licence.ts';
import { sealAudit } from '#api/test/sealed.ts';

export const EMAIL = 'ada@example.com';
export const DAY = 24 * 60 * 60_000;
export const [PHONE, TABLET, LAPTOP] = ['phone-of-the-owner', 'tablet-of-the-owner', 'laptop-of-the-owner'] as const;

/** Opens a site with a plan that began yesterday. */
export async function openWithLicence(db: Db, hwids: readonly string[] = [PHONE, TABLET]): Promise<TestApi> {
  const api = await createTestApi({ db });
  await insertLicence(db, { email: EMAIL, startsAt: api.now() - DAY, hwids });
  return api;
}

/** The token of the newest mail's link. */
export async function readToken(api: TestApi): Promise<string> {
  const mails = await api.mails();
  return /#t=([\w-]{43})$/m.exec(mails.at(-1)?.text ?? '')?.[1] ?? '';
}

/** Asks for a link that resets devices. Returns the token of its mail. */
export async function askForReset(api: TestApi, email = EMAIL): Promise<string> {
  api.pass(1);
  expect((await api.post('/api/requestresetdevices', { email })).status).toBe(200);
  return readToken(api);
}

/** Asks for a link that adds a device. Returns the token of its mail. */
export async function askForClaim(api: TestApi, hwid: string): Promise<string> {
  api.pass(1);
  const before = (await api.mails()).length;
  expect((await api.post('/api/claim-plan', { email: EMAIL, hwid })).status).toBe(204);
  await expect.poll(async () => (await api.mails()).length).toBe(before + 1);
  return readToken(api);
}

/** Makes the call of a link, a moment later. */
export async function callWith(api: TestApi, path: string, token: unknown): Promise<Record<string, unknown>> {
  api.pass(1);
  return readAnswer(await api.post(path, { token }));
}

/** The status of an answer, with the members of its body. */
export async function readAnswer(res: Response): Promise<Record<string, unknown>> {
  const body = res.status === 204 ? {} : ((await res.json()) as Record<string, unknown>);
  return { status: res.status, ...body };
}

/** The kinds of the mails in the queue, the oldest first. */
export const kindsOf = async (api: TestApi) => (await api.mails()).map(({ kind }) => kind);

/** The devices that are bound to a licence. */
export function listBound(db: Db) {
  return db.selectFrom('licenceDevice').selectAll().where('unboundAt', 'is', null).execute();
}

/** The keys that are not revoked. */
export async function workingKeys(db: Db): Promise<string[]> {
  const keys = await db.selectFrom('accessKey').select('jti').where('revokedAt', 'is', null).execute();
  return keys.map(({ jti }) => jti);
}

/** What the audit says of licences. */
export async function listEvents(db: Db): Promise<string[]> {
  await sealAudit(db);
  const rows = await db.selectFrom('auditEvent').select('code').where('kind', '=', 'licence').orderBy('seq').execute();
  return rows.map(({ code }) => code);
}
