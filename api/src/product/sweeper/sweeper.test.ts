import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import { expect, test } from 'vitest';
import { createAuditTrust } from '#api/foundation/audit/audit-trust.ts';
import { verifyAudit } from '#api/foundation/audit/verify-audit.ts';
import { createAdvertisersRepository } from '#api/product/advertisers/advertisers.repository.ts';
import { createAppsRepository } from '#api/product/apps/apps.repository.ts';
import { DEFAULT_LIMITS } from '#api/product/limits/limits.ts';
import { createKeysRepository } from '#api/product/keys/keys.repository.ts';
import { createAttemptsRepository } from '#api/product/key-system/attempts.repository.ts';
import { createLicencesRepository } from '#api/product/licences/licences.repository.ts';
import { receivePaymentEvent } from '#api/product/payments/receive-payment-event.ts';
import { generateSigningKey, readSigningKey } from '#api/foundation/crypto/signing-key.ts';
import { recordEvent } from '#api/test/audit-chain.ts';
import { buildKey, buildPass, insertAttempt, insertRun, T0 } from '#api/test/build-rows.ts';
import { makeFolder } from '#api/test/make-folder.ts';
import { beginOrder, buildCheckout, buildPaid } from '#api/test/product/build-checkout.ts';
import { describeEachDatabase } from '#api/test/databases/describe-each-database.ts';
import { createSweep } from './sweeper.ts';

const HOUR = 60 * 60 * 1000;

const DAY = 24 * HOUR;

const OURS = readSigningKey(generateSigningKey('ours'));

const { signal } = new AbortController();

describeEachDatabase('the sweeper', (db) => {
  /** A sweeper, and what it reported. */
  function createSweeper(at: number, options: Partial<Parameters<typeof createSweep>[0]> = {}) {
    const done: Record<string, unknown>[] = [];
    const failed: string[] = [];
    const log = {
      info: (entry: Record<string, unknown>) => void done.push(entry),
      error: ({ job }: { job: string }) => void failed.push(job),
    } as unknown as Logger;
    const sweep = createSweep({
      db: db(),
      limits: DEFAULT_LIMITS,
      creditConfirmed: () => Promise.resolve(0),
      remindOwners: () => Promise.resolve(0),
      fillMailboxes: () => Promise.resolve(0),
      countedUntil: () => Promise.resolve(Infinity),
      signingKey: () => OURS,
      auditTrust: createAuditTrust(makeFolder()),
      log,
      now: () => at,
      ...options,
    });
    return { sweep: (stop = signal) => sweep(stop), done, failed };
  }

  const countOf = async (table: 'run' | 'stepAttempt' | 'accessKey' | 'captchaPass' | 'device') =>
    (await db().selectFrom(table).select(sql.lit(1).as('one')).execute()).length;

  test('rows of a device are removed table by table, each after its retention time', async () => {
    const run = await insertRun(db());
    await insertAttempt(db(), run);
    await createKeysRepository(db()).insert(buildKey(run));
    const counts = async (at: number) => {
      await createSweeper(at).sweep();
      return {
        passes: await countOf('captchaPass'),
        attempts: await countOf('stepAttempt'),
        keys: await countOf('accessKey'),
        runs: await countOf('run'),
        devices: await countOf('device'),
      };
    };

    expect(await counts(T0 + DAY)).toEqual({ passes: 1, attempts: 1, keys: 1, runs: 1, devices: 1 });
    expect(await counts(T0 + 2 * DAY)).toEqual({ passes: 0, attempts: 1, keys: 1, runs: 1, devices: 1 });
    expect(await counts(T0 + 30 * DAY + 1)).toEqual({ passes: 0, attempts: 0, keys: 1, runs: 1, devices: 1 });
    expect(await counts(T0 + 31 * DAY + 1)).toEqual({ passes: 0, attempts: 0, keys: 0, runs: 1, devices: 1 });
    expect(await counts(T0 + 90 * DAY)).toEqual({ passes: 0, attempts: 0, keys: 0, runs: 1, devices: 1 });
    expect(await counts(T0 + 90 * DAY + 1)).toEqual({ passes: 0, attempts: 0, keys: 0, runs: 0, devices: 0 });
  });

  test('a day after its run an attempt forgets its browser, its network and its ticket, and keeps its proof; the run has its network for seven', async () => {
    const attempts = createAttemptsRepository(db());
    const by = { browser: { hmac: 'browser', since: T0 }, networks: ['network', ''] as const };
    const { id, tokenHash } = await insertAttempt(db(), await insertRun(db(), { by }), { by });
    await attempts.claim(tokenHash, 'server', T0 + HOUR / 6);
    await attempts.keepProof(id, 'ref', T0 + HOUR / 6);
    const whole = await attempts.findById(id);
    await createSweeper(T0 + DAY).sweep();
    expect(await attempts.findById(id)).toEqual(whole);
    await createSweeper(T0 + DAY + 1).sweep();

    const forgotten = { sealedContext: '', claimedBy: null, visitorHmac: null, ipHmac: null };
    expect(await attempts.findById(id)).toEqual({ ...whole, tokenHash: tokenHash.slice(0, 14), ...forgotten });
    expect(await attempts.findByTicket(tokenHash)).toBeUndefined();
    const networkOf = () => db().selectFrom('run').select('ipHmac').executeTakeFirst();
    await createSweeper(T0 + 7 * DAY).sweep();
    expect(await networkOf()).toEqual({ ipHmac: 'network' });
    await createSweeper(T0 + 7 * DAY + 1).sweep();
    expect(await networkOf()).toEqual({ ipHmac: null });
  });

  test('an attempt keeps its ticket as long as its run may be open', async () => {
    const { tokenHash } = await insertAttempt(db(), await insertRun(db()));
    const { sweep } = createSweeper(T0 + 2 * DAY, { limits: { ...DEFAULT_LIMITS, runMaxMs: 2 * DAY } });
    await sweep();

    expect(await createAttemptsRepository(db()).findByTicket(tokenHash)).toBeDefined();
  });

  test('orders are removed after ten years with all rows of their buyer', async () => {
    const { checkout } = buildCheckout(db());
    const order = await beginOrder(checkout);
    await receivePaymentEvent(checkout, buildPaid(order));
    const refunded = await beginOrder(checkout, 'device-5678');
    await receivePaymentEvent(checkout, buildPaid(refunded));
    const reversed = { kind: 'reversed', paymentRef: `pi_${refunded}`, reason: 'refund' } as const;
    await receivePaymentEvent(checkout, { id: 'evt_refund', type: 'charge.refunded', ...reversed });
    const { licenceId = '' } = (await createLicencesRepository(db()).findPeriodOfOrder(order)) ?? {};
    await createLicencesRepository(db()).unbindAll(licenceId, T0 + DAY);
    const left = async (at: number) => {
      const { sweep, failed } = createSweeper(at);
      await sweep();
      expect(failed).toEqual([]);
      const tables = ['device', 'licence', 'licence_device', 'licence_period', 'payment', 'purchase_order'];
      return Promise.all(
        tables.map(async (table) => (await sql.raw(`SELECT 1 FROM ${table}`).execute(db())).rows.length),
      );
    };

    expect(await left(T0 + 3650 * DAY)).toEqual([2, 2, 2, 2, 2, 2]);
    expect(await left(T0 + 3650 * DAY + 1)).toEqual([0, 0, 0, 0, 0, 0]);
  });

  test('the order of a running plan is kept and removed within a day of the end of the plan', async () => {
    const { checkout } = buildCheckout(db());
    await receivePaymentEvent(checkout, buildPaid(await beginOrder(checkout)));
    const limits = { ...DEFAULT_LIMITS, retentionDays: { ...DEFAULT_LIMITS.retentionDays, orders: 1 } };
    const clock = { at: T0 };
    const { sweep } = createSweeper(T0, { limits, now: () => clock.at });
    const ordersAt = async (at: number) => {
      clock.at = at;
      await sweep();
      return (await db().selectFrom('purchaseOrder').select('id').execute()).length;
    };

    expect(await ordersAt(T0 + 29 * DAY + HOUR)).toBe(1);
    // Looked at again a day after it was kept.
    expect(await ordersAt(T0 + 30 * DAY + HOUR - 1)).toBe(1);
    expect(await ordersAt(T0 + 30 * DAY + HOUR)).toBe(0);
  });

  test('rows are removed on time after the clock was a year ahead', async () => {
    const clock = { at: T0 + 365 * DAY };
    const { sweep } = createSweeper(T0, { now: () => clock.at });
    await sweep();
    await db().insertInto('captchaPass').values(buildPass()).execute();
    clock.at = T0 + 2 * DAY;

    await sweep();

    expect(await countOf('captchaPass')).toBe(0);
  });

  test('attempts and keys are kept until they are counted', async () => {
    const run = await insertRun(db());
    await insertAttempt(db(), run);
    await createKeysRepository(db()).insert(buildKey(run));
    const left = async (countedUntil: number) => {
      await createSweeper(T0 + 400 * DAY, { countedUntil: () => Promise.resolve(countedUntil) }).sweep();
      return { attempts: await countOf('stepAttempt'), keys: await countOf('accessKey'), runs: await countOf('run') };
    };

    expect(await left(T0)).toEqual({ attempts: 1, keys: 1, runs: 1 });
    expect(await left(T0 + 1)).toEqual({ attempts: 0, keys: 1, runs: 1 });
    expect(await left(T0 + DAY)).toEqual({ attempts: 0, keys: 1, runs: 1 });
    expect(await left(T0 + DAY + 1)).toEqual({ attempts: 0, keys: 0, runs: 0 });
  });

  test('a key is kept until its revocation is counted', async () => {
    await createKeysRepository(db()).insert(buildKey(await insertRun(db())));
    const countedUntil = (what: readonly string[]) => Promise.resolve(what.includes('withdrawn') ? T0 : Infinity);
    await createSweeper(T0 + 400 * DAY, { countedUntil }).sweep();

    expect(await countOf('accessKey')).toBe(1);
  });

  test('a sweep removes all expired rows in several batches', async () => {
    const passes = Array.from({ length: 450 }, () => buildPass());
    for (let from = 0; from < passes.length; from += 50)
      await db()
        .insertInto('captchaPass')
        .values(passes.slice(from, from + 50))
        .execute();
    const { sweep, done } = createSweeper(T0 + 2 * DAY);

    await sweep();

    expect(await countOf('captchaPass')).toBe(0);
    expect(done).toContainEqual({ job: 'remove from captcha_pass', rows: 450 });
  });

  test('a sweep measures the usual duration of runs and of visits, and logs a change', async () => {
    await createAppsRepository(db()).noteUsualRun('main', 1);
    await createAdvertisersRepository(db()).noteUsual('rinku', { usualMs: 60_000, finishedPercent: 90 });
    const { sweep, done } = createSweeper(T0);

    await sweep();
    await sweep();

    expect(done.filter(({ job }) => String(job).startsWith('measure'))).toEqual([
      { job: 'measure', rows: 1 },
      { job: 'measure visits', rows: 1 },
    ]);
  });

  test('requests are answered between two batches of a sweep', async () => {
    for (let count = 0; count < 401; count++) await db().insertInto('captchaPass').values(buildPass()).execute();
    const left: number[] = [];
    const request = setInterval(() => void countOf('captchaPass').then((count) => left.push(count)), 0);

    await createSweeper(T0 + 2 * DAY).sweep();
    clearInterval(request);

    expect(left.some((count) => count > 0)).toBe(true);
  });

  test('a sweep stops after the current batch when it is aborted', async () => {
    await db().insertInto('captchaPass').values(buildPass()).execute();
    const stopping = new AbortController();
    let batches = 0;
    const { sweep } = createSweeper(T0 + 2 * DAY, {
      fillMailboxes: (limit) => {
        batches++;
        if (batches === 2) stopping.abort();
        return Promise.resolve(limit);
      },
    });

    await sweep(stopping.signal);

    expect(batches).toBe(2);
    expect(await countOf('captchaPass')).toBe(1);
  });

  test('a failed sweep job is logged and does not stop the others', async () => {
    await db().insertInto('captchaPass').values(buildPass()).execute();
    let tries = 0;
    const remindOwners = () => (tries++ === 0 ? Promise.reject(new Error('no')) : Promise.resolve(0));
    const { sweep, failed } = createSweeper(T0 + 2 * DAY, { remindOwners });

    await sweep();
    expect(failed).toEqual(['remind']);
    expect(await countOf('captchaPass')).toBe(0);

    await sweep();
    expect([tries, failed]).toEqual([2, ['remind']]);
  });

  test('two servers sweep simultaneously without errors', async () => {
    for (let count = 0; count < 30; count++) {
      const run = await insertRun(db(), { hwidHmac: randomUUID() });
      await insertAttempt(db(), run);
      await db().insertInto('captchaPass').values(buildPass()).execute();
    }
    await recordEvent(db(), { at: T0, kind: 'run', code: 'opened', subject: null });
    const servers = [createSweeper(T0 + 2 * DAY), createSweeper(T0 + 2 * DAY)];

    await Promise.all(servers.map(({ sweep }) => sweep()));

    expect(servers.flatMap(({ failed }) => failed)).toEqual([]);
    expect(await db().selectFrom('run').select('id').where('state', '=', 'open').execute()).toEqual([]);
    expect(await countOf('captchaPass')).toBe(0);
    expect(
      await verifyAudit(db(), {
        trusted: { keys: [OURS.publicJwk], anchors: [], since: undefined },
        now: T0 + 2 * DAY,
      }),
    ).toMatchObject({ ok: true, anchors: 1 });
  });

  test('the first sweep of a day signs the audit of the day before and logs the anchor', async () => {
    await recordEvent(db(), { at: T0, kind: 'run', code: 'opened', subject: null });
    const { sweep, done } = createSweeper(T0);

    await sweep();
    await sweep();

    const anchors = await db().selectFrom('auditAnchor').selectAll().execute();
    expect(anchors).toMatchObject([{ lastSeq: 1 }]);
    expect(done).toEqual([{ job: 'anchor', day: anchors[0]?.day, jws: anchors[0]?.jws }]);
  });
});
