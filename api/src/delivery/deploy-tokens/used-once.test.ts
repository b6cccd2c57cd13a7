import { expect, test } from 'vitest';
import { describeEachDatabase } from '#api/test/databases/describe-each-database.ts';
import { ADMITTED_JOB, createTrustingSite, UNVERIFIED } from '#api/test/delivery/trusting-site.ts';
import { readAudit } from '#api/test/sealed.ts';
import {
  removeTrustedPublisher,
  pinTrustedPublishers,
  readTrustedPublishers,
  addTrustedPublisher,
} from './trusted-publishers.ts';

const NOW = Date.parse('2026-12-01T12:00Z');
const ACT = { by: 'olga', at: NOW };
const USED_TOKEN_ERROR =
  '401 release.token_expired The ID token was used before, and works once. Ask the CI for another one, or get a session for several calls.';
const PREVIEW_PATH = '/tools/0.2.0-preview.0a1b2c3d4e5f';

describeEachDatabase('what an ID token is good for', (db) => {
  const createSite = (options: Parameters<typeof createTrustingSite>[1] = {}) => createTrustingSite(db(), options);

  test('threat 57: an ID token is accepted once across all servers, and forgotten after its expiry', async () => {
    const { send, sign, pass, given, trust } = await createSite();
    const token = await sign();
    const sent = await Promise.all(Array.from({ length: 5 }, () => send(token)));
    expect(sent.filter((answer) => answer === ADMITTED_JOB)).toHaveLength(1);
    expect(sent.filter((answer) => answer === USED_TOKEN_ERROR)).toHaveLength(4);
    for (const [path, method] of [
      ['/tools', 'PATCH'],
      ['/', 'POST'],
      ['/', 'GET'],
    ] as const)
      expect(await send(token, path, method)).toBe(USED_TOKEN_ERROR);
    // The id alone is that of an issuer's own.
    expect(await send(await sign({ claims: { jti: 'one' } }))).toBe(ADMITTED_JOB);
    const other = await createSite();
    expect(await other.send(await other.sign({ claims: { jti: 'one' } }))).toBe(ADMITTED_JOB);
    expect(given.issuer).not.toBe(other.issuer);

    pass(329_000);
    expect(await trust.forgetEnded(NOW + 329_000)).toBe(0);
    expect(await send(token)).toBe(USED_TOKEN_ERROR);
    expect(await trust.forgetEnded(NOW + 361_000)).toBe(3);
  });

  test('a job makes several calls in the session that its ID token opens, for fifteen minutes', async () => {
    const { send, sign, pass } = await createSite();
    const opened = await send(await sign(), '/', 'POST');
    const session = opened.slice('200 '.length);

    pass(899_000);
    expect(await send(session)).toBe(ADMITTED_JOB);
    expect(await send(session, '/tools', 'PATCH')).toBe(ADMITTED_JOB);
    expect(await send(session, '/marketing', 'PATCH')).toContain('it is trusted with tools only');
    expect(await send(session, '/', 'POST')).toContain('Only the ID token of a CI opens a session.');
    expect(await send(`${session}x`)).toBe(UNVERIFIED);
    pass(2000);
    expect(await send(session)).toContain('401 release.token_expired');
  });

  test('a session ends when its publisher is no longer trusted, and a session of another site is rejected', async () => {
    const { send, sign, trust, signAsSite } = await createSite();
    const session = (await send(await sign(), '/', 'POST')).slice('200 '.length);
    for (const { id } of await trust.list()) await removeTrustedPublisher({ db: db() }, id, ACT);

    expect(await send(session)).toContain('403 release.not_trusted Nobody trusts org/tools');
    expect(await send(await signAsSite('another pepper'))).toBe(UNVERIFIED);
  });

  test('a session from before its repository was trusted anew is rejected, and pins no repository id', async () => {
    const { send, sign, trust, given, pass } = await createSite();
    const [late, first] = [await sign(), await sign()];
    const session = (await send(first, '/', 'POST')).slice('200 '.length);
    for (const [old, at] of [
      [session, NOW],
      [late, NOW + 31_000],
    ] as const) {
      for (const { id } of await trust.list()) await removeTrustedPublisher({ db: db() }, id, ACT);
      await addTrustedPublisher({ db: db() }, given, { ...ACT, at });
      expect(await send(old)).toBe('403 release.not_trusted Nobody trusts org/tools at refs/heads/main here.');
    }
    pass(31_000);
    expect(await send(await sign({ claims: { repository_id: '999' } }))).toBe(ADMITTED_JOB);
  });

  test('a rejected job pins no repository id', async () => {
    const { send, sign, trust, given } = await createSite();
    const used = await sign();
    expect(await send(used)).toBe(ADMITTED_JOB);
    for (const { id } of await trust.list()) await removeTrustedPublisher({ db: db() }, id, ACT);
    await addTrustedPublisher({ db: db() }, given, ACT);

    expect(await send(await sign({ claims: { ref: 'refs/heads/other' } }))).toContain('403 release.not_trusted Nobody');
    expect(await send(await sign(), '/marketing/0.2.0')).toContain('403 release.not_trusted');
    expect(await send(await sign({ claims: { event_name: 'pull_request' } }))).toContain('403 release.not_trusted');
    expect(await send(used)).toBe(USED_TOKEN_ERROR);
    expect(await trust.list()).toMatchObject([{ repositoryId: null, ownerId: null }]);
  });

  test('a repository name is pinned to the repository of its first job, and a later one of the same name is rejected', async () => {
    const { send, sign } = await createSite();
    expect(await send(await sign({ claims: { event_name: 'pull_request' } }), PREVIEW_PATH)).toBe(ADMITTED_JOB);

    for (const claims of [
      { repository_id: '999' },
      { repository_id: undefined },
      { repository_owner_id: '999' },
      { repository_owner_id: undefined },
    ]) {
      expect(await send(await sign({ claims }))).toMatch(
        /^403 release\.not_trusted org\/tools is another repository than the one that is trusted under this name: its id/,
      );
      expect(await send(await sign({ claims: { ...claims, event_name: 'pull_request' } }), PREVIEW_PATH)).toContain(
        '403',
      );
    }
    expect(await send(await sign())).toBe(ADMITTED_JOB);
    const pinned = (await readAudit(db())).filter(({ code }) => code === 'ci pinned');
    expect(pinned).toMatchObject([{ detail: { unit: 'tools', repositoryId: '456789', ownerId: '1234' } }]);
  });

  test('of two concurrent repositories with one name, one is pinned', async () => {
    const { send, sign } = await createSite();
    const answers = await Promise.all(
      ['456789', '999'].map(async (repository_id) => send(await sign({ claims: { repository_id } }))),
    );
    expect(answers.map((answer) => answer.slice(0, 3)).sort()).toEqual(['200', '403']);
  });

  test('of two concurrent repositories that both found the name free, the later one is rejected, and both after trust is removed', async () => {
    const { given, trust } = await createSite();
    const { issuer, repository, ref, environment } = given;
    const job = { issuer, repository, ref, environment, ownerId: '1234', isForReview: false, label: 'a job' };
    const jobs = ['1', '2'].map((repositoryId) => ({ ...job, repositoryId }));
    const free = await readTrustedPublishers(db(), { ...job, repositoryId: '1' }, () => true);
    const pinAll = () => Promise.allSettled(jobs.map((each) => pinTrustedPublishers({ db: db() }, free, each, NOW)));

    expect((await pinAll()).map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    for (const { id } of free) await trust.remove(id);
    expect((await pinAll()).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });

  test('with the id given by the operator, the owner is still pinned to that of the first job', async () => {
    const { send, sign } = await createSite({ trust: { repositoryId: '456789' } });
    expect(await send(await sign())).toBe(ADMITTED_JOB);

    expect(await send(await sign({ claims: { repository_owner_id: '999' } }))).toContain('403 release.not_trusted');
  });

  test('an id given by the operator is already required of the first job', async () => {
    const { send, sign, given } = await createSite({ trust: { repositoryId: '999' } });
    expect(await send(await sign())).toContain('403 release.not_trusted org/tools is another repository');
    expect(await send(await sign({ claims: { repository_id: '999' } }))).toBe(ADMITTED_JOB);
    expect(await addTrustedPublisher({ db: db() }, { ...given, repositoryId: '456789' }, ACT)).toMatchObject([
      expect.stringMatching(/^org\/tools is trusted already, as the repository 999: trust remove \w+ first\.$/),
    ]);
    expect(await addTrustedPublisher({ db: db() }, { ...given, repositoryId: undefined }, ACT)).toHaveProperty('id');
  });

  test('a CI without repository ids is trusted by the name', async () => {
    const { send, sign } = await createSite();
    const claims = { repository_id: undefined, repository_owner_id: undefined };
    expect(await send(await sign({ claims }))).toBe(ADMITTED_JOB);
    expect(await send(await sign({ claims }))).toBe(ADMITTED_JOB);
  });
});
