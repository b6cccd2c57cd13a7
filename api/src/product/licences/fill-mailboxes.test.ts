import { expect, test } from 'vitest';
import { createPseudonyms } from '#api/foundation/visitors/pseudonyms.ts';
import { buildLicence } from '#api/test/build-rows.ts';
import { TEST_PEPPER } from '#api/test/create-test-api.ts';
import { describeEachDatabase } from '#api/test/databases/describe-each-database.ts';
import { createEmailCipher } from './email-cipher.ts';
import { fillMailboxes } from './fill-mailboxes.ts';
import { createLicencesRepository } from './licences.repository.ts';

describeEachDatabase('mailboxes of licences from the previous release', (db) => {
  const emails = createEmailCipher(TEST_PEPPER, createPseudonyms(TEST_PEPPER));
  const find = async (email: string) => {
    const found = await createLicencesRepository(db()).listByEmail(emails.hmac(email));
    return found.map(({ id }) => id);
  };
  /** Stores a licence as a server of the previous release does. */
  const store = async (id: string, email: string) =>
    db()
      .insertInto('licence')
      .values({ ...buildLicence({ id }), ...emails.stored(id, email), mailboxHmac: null })
      .execute();

  test('a licence of the previous release is found by its address in lower case at once, and by every spelling after the next sweep', async () => {
    await store('plain', 'Ada@Example.COM');
    await store('accents', 'Jo@BÜCHER.example');
    expect(await find('ada@example.com')).toEqual(['plain']);
    expect(await find('jo@xn--bcher-kva.example')).toEqual([]);

    expect(await fillMailboxes({ db: db(), emails }, 10)).toBe(2);
    expect(await find('jo@xn--bcher-kva.example')).toEqual(['accents']);
    expect(await find('ada@example.com')).toEqual(['plain']);
    expect(await fillMailboxes({ db: db(), emails }, 10)).toBe(0);
  });

  test('mailboxes are filled in batches, and a licence whose address cannot be decrypted does not block others', async () => {
    await db()
      .insertInto('licence')
      .values({ ...buildLicence({ id: 'broken', emailHmac: 'as it was' }), emailEnc: 'AAAA' })
      .execute();
    await store('sound', 'jo@bücher.example');
    await db()
      .insertInto('licence')
      .values(buildLicence({ id: 'unowned', emailHmac: null }))
      .execute();

    expect(await fillMailboxes({ db: db(), emails }, 1)).toBe(1);
    expect(await fillMailboxes({ db: db(), emails }, 1)).toBe(1);
    expect(await fillMailboxes({ db: db(), emails }, 1)).toBe(0);
    expect(await find('jo@bücher.example')).toEqual(['sound']);
    expect(await createLicencesRepository(db()).find('broken')).toMatchObject({ emailHmac: 'as it was' });
  });

  test('a new licence is found by a server of the previous release by its address in lower case', () => {
    const { emailHmac } = emails.stored('new', 'Jo@Bücher.example');

    expect(emailHmac).toBe(emails.stored('other', 'jo@bücher.example').emailHmac);
    expect(emailHmac).not.toBe(emails.hmac('jo@bücher.example'));
  });
});
