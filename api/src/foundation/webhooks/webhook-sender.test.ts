import { pino } from 'pino';
import { expect, test } from 'vitest';
import { sealAll } from '#api/foundation/audit/seal-audit.ts';
import { transact } from '#api/foundation/audit/transact.ts';
import { createBackgroundQueue } from '#api/foundation/jobs/background-queue.ts';
import { T0 } from '#api/test/build-rows.ts';
import { TEST_PEPPER } from '#api/test/create-test-api.ts';
import { describeEachDatabase } from '#api/test/databases/describe-each-database.ts';
import { watchStatements } from '#api/test/databases/watch-statements.ts';
import { openReceiver } from '#api/test/open-receiver.ts';
import { verifyWebhook } from '../../../../samples/webhooks/verify-webhook.ts';
import { addWebhook, removeWebhook, resendDeliveries, type WebhookOptions } from './change-webhooks.ts';
import { createPostWebhook, type PostOutcome, type PostWebhook } from './post-webhook.ts';
import { createWebhookSender, type WebhookSources } from './webhook-sender.ts';
import { createWebhookSigner } from './webhook-signer.ts';
import { createWebhooksRepository } from './webhooks.repository.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const BY = { by: 'ada', at: T0 };
const signer = createWebhookSigner(TEST_PEPPER);

/** Whose data is all that stands in the audit; key 9 is no longer stored. */
const SOURCES: WebhookSources = {
  'key.issued': {
    kind: 'key',
    code: 'issued',
    scope: 'app',
    describe: ({ detail }) => Promise.resolve(detail['n'] === 9 ? undefined : (detail as never)),
  },
};

describeEachDatabase('the sender of webhooks', (db) => {
  const add = async (changes: Partial<WebhookOptions> = {}) => {
    const order = { scope: 'app', owner: 'main', url: 'https://hooks.example/', events: ['key.issued'], ...changes };
    return (await addWebhook({ db: db(), signer }, order as WebhookOptions, BY)) ?? { id: '', secret: '' };
  };

  /** Has keys issued, and what is recorded sealed. */
  async function issue(...numbers: number[]): Promise<void> {
    await transact(db(), {}, ({ record }) => {
      for (const n of numbers)
        record({ at: T0, kind: 'key', code: 'issued', subject: 'd1', detail: { app: 'main', n } });
      return Promise.resolve();
    });
    await sealAll(db());
  }

  /** A server that sends. `turn` waits for what it has begun to send. */
  function open(post: PostWebhook, on = db()) {
    let at = T0;
    const logged: string[] = [];
    const log = pino({}, { write: (line: string) => void logged.push(line) });
    const stopping = new AbortController();
    const now = () => at;
    const background = createBackgroundQueue({ now, stopping: stopping.signal });
    const sender = createWebhookSender({ db: on, signer, post, sources: SOURCES, log, now, background });
    return {
      logged,
      begin: () => sender.turn(stopping.signal),
      async turn() {
        await sender.turn(stopping.signal);
        await background.drain(5000);
      },
      stop: () => stopping.abort(),
      set: (to: number) => (at = to),
    };
  }

  /** Notes what is sent, and gives these outcomes, the last one for ever. */
  function play(...outcomes: PostOutcome[]) {
    const sent: { host: string; n: unknown; id: string }[] = [];
    const post: PostWebhook = (url, headers, body) => {
      const { data } = JSON.parse(body) as { data: { n?: number } };
      sent.push({ host: new URL(url).host, n: data.n, id: headers['webhook-id'] ?? '' });
      return Promise.resolve((outcomes.length > 1 ? outcomes.shift() : outcomes[0]) ?? { status: 204 });
    };
    return { sent, post };
  }

  const deliveries = () => db().selectFrom('webhookDelivery').selectAll().orderBy('id').execute();

  test('an event of its app is sent once, signed, and earlier events are not', async () => {
    await issue(1);
    const receiver = await openReceiver();
    const { secret } = await add({ url: receiver.url });
    const server = open(createPostWebhook('any'));

    await issue(2, 3);
    await server.turn();
    await server.turn();

    expect(receiver.received.map(({ body }) => JSON.parse(body) as unknown)).toEqual(
      expect.arrayContaining(
        [2, 3].map((n) => ({
          type: 'key.issued',
          version: '1',
          timestamp: new Date(T0).toISOString(),
          data: { app: 'main', n },
        })),
      ),
    );
    expect(receiver.received).toHaveLength(2);
    for (const { headers, body } of receiver.received) {
      expect(verifyWebhook(secret, headers, body, T0 / 1000)).toBe(true);
      expect(verifyWebhook(secret, headers, `${body} `, T0 / 1000)).toBe(false);
    }
    expect(await deliveries()).toMatchObject(
      [2, 3].map(() => ({ state: 'delivered', tries: 1, outcome: '204', endedAt: T0 })),
    );
  });

  test('a new webhook gets no earlier events, even while they are pending for another', async () => {
    await add({ url: 'https://first.example/' });
    await issue(1);
    await add({ url: 'https://second.example/' });
    await issue(2);
    const { sent, post } = play();

    await open(post).turn();

    expect(sent.map(({ host, n }) => `${host} ${String(n)}`).sort()).toEqual([
      'first.example 1',
      'first.example 2',
      'second.example 2',
    ]);
  });

  test('a webhook gets no events of another app, nor kinds to which it is not subscribed', async () => {
    await add({ owner: 'companion' });
    await add({ events: ['key.withdrawn'] });
    await add({ scope: 'unit', events: ['canary.halted'] });
    const { sent, post } = play();

    await issue(1);
    await open(post).turn();

    expect(sent).toEqual([]);
  });

  test('a rejected message is retried under its id with growing delays, and then given up', async () => {
    const { id } = await add({ url: 'https://hooks.example/secret-path' });
    const { sent, post } = play({ status: 500 }, { code: 'ECONNRESET' }, { status: 302 });
    const server = open(post);
    await issue(1);
    const waits: number[] = [];

    for (let at = T0; ;) {
      await server.turn();
      const [row] = await deliveries();
      if (row?.state !== 'queued') break;
      waits.push(row.nextTryAt - at);
      server.set(row.nextTryAt - 1);
      await server.turn();
      at = row.nextTryAt;
      server.set(at);
    }

    expect(sent).toHaveLength(10);
    expect(new Set(sent.map((message) => message.id)).size).toBe(1);
    expect(waits).toEqual([...waits].sort((a, b) => a - b));
    expect([waits[0], waits.at(-1)]).toEqual([5000, 8 * HOUR]);
    expect(await deliveries()).toMatchObject([{ state: 'failed', tries: 10, outcome: '302' }]);
    expect(server.logged.join()).toContain('webhook given up');
    expect(server.logged.join()).toContain(id);
    expect(server.logged.join()).not.toContain('secret-path');

    expect(await resendDeliveries({ db: db() }, id, BY)).toBe(1);
    await server.turn();
    expect(sent).toHaveLength(11);
    expect(sent[10]?.id).toBe(sent[0]?.id);
  });

  test('a receiver that answers 410 is disabled until an operator enables it again', async () => {
    const { id } = await add();
    const { sent, post } = play(...Array<PostOutcome>(8).fill({ status: 410 }), { status: 200 });
    const server = open(post);
    await issue(...Array(9).keys());
    await server.turn();
    await issue(10);
    await server.turn();

    expect(sent).toHaveLength(8);
    const ended = (await deliveries()).map(({ state, outcome }) => `${state} ${outcome ?? ''}`);
    expect(ended.sort()).toEqual([...Array<string>(8).fill('failed 410'), 'failed disabled']);
    expect(server.logged.join()).toContain('webhook disabled');
    expect(await createWebhooksRepository(db()).find(id)).toMatchObject({ disabledAt: T0 });

    expect(await resendDeliveries({ db: db() }, id, BY)).toBe(9);
    await issue(3);
    await server.turn();
    expect(
      sent
        .slice(8)
        .map(({ n }) => n)
        .sort(),
    ).toEqual([0, 1, 2, 3, 3, 4, 5, 6, 7, 8]);
  });

  test('threat 53: a hanging receiver does not delay the others', async () => {
    await add({ url: 'https://dead.example/' });
    await add({ url: 'https://alive.example/' });
    const told: string[] = [];
    const server = open(async (url) => {
      const { host } = new URL(url);
      if (host === 'dead.example') await new Promise(() => undefined);
      told.push(host);
      return { status: 200 };
    });

    for (const n of [1, 2, 3]) {
      await issue(n);
      await server.begin();
      await expect.poll(() => told.length).toBe(n);
    }

    expect(told).toEqual(Array<string>(3).fill('alive.example'));
  });

  test('concurrent messages to one receiver are limited', async () => {
    await add();
    const waiting: (() => void)[] = [];
    const server = open(async () => {
      await new Promise<void>((resolve) => waiting.push(resolve));
      return { status: 200 };
    });
    await issue(...Array.from({ length: 20 }, (_, n) => 10 + n));

    for (const most of [8, 16, 20]) {
      await server.begin();
      await expect.poll(() => waiting.length).toBe(most);
      for (const answer of waiting) answer();
    }
    await server.turn();

    expect(waiting).toHaveLength(20);
    expect((await deliveries()).filter(({ state }) => state === 'delivered')).toHaveLength(20);
  });

  test('only one of two servers sends a message', async () => {
    await add();
    const { sent, post } = play();
    const [one, other] = [open(post), open(post)];
    await issue(...Array(9).keys());

    await Promise.all([one.turn(), other.turn(), one.turn()]);
    await Promise.all([one.turn(), other.turn()]);

    expect(sent.map(({ n }) => n).sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  });

  test('a message in flight at a server’s kill is sent again by the next server, under the same id', async () => {
    await add();
    await issue(1);
    let first: string | undefined;
    const killed = open((_url, headers) => {
      first = headers['webhook-id'];
      return new Promise(() => undefined);
    });
    await killed.begin();
    await expect.poll(() => first).toBeDefined();
    const { sent, post } = play();
    const next = open(post);

    await next.turn();
    expect(sent).toEqual([]);
    next.set(T0 + MINUTE);
    await next.turn();

    expect(sent).toMatchObject([{ id: first }]);
    expect(await deliveries()).toMatchObject([{ state: 'delivered', tries: 2 }]);
  });

  test('an accepted message is marked delivered, even if another server has retried it meanwhile', async () => {
    await add();
    await issue(1);
    let answer: (() => void) | undefined;
    const slow = open(async () => {
      await new Promise<void>((resolve) => (answer = resolve));
      return { status: 200 };
    });
    await slow.begin();
    await expect.poll(() => answer).toBeDefined();
    const next = open(play({ status: 500 }).post);
    next.set(T0 + MINUTE);
    await next.turn();
    expect(await deliveries()).toMatchObject([{ state: 'queued', outcome: '500' }]);

    answer?.();
    await slow.turn();
    expect(await deliveries()).toMatchObject([{ state: 'delivered', outcome: '200' }]);
  });

  test('a message in flight is not rescheduled by a resend', async () => {
    await add();
    await issue(1);
    let due: number | undefined;
    const server = open(async (_url, headers) => {
      due = await resendDeliveries({ db: db() }, headers['webhook-id'] ?? '', BY);
      return { status: 200 };
    });

    await server.turn();

    expect(due).toBe(0);
    expect(await deliveries()).toMatchObject([{ state: 'delivered', tries: 1 }]);
  });

  test('a message queued by another server meanwhile is not queued twice', async () => {
    await add();
    const { sent, post } = play();
    const watched = watchStatements(db());
    const server = open(post, watched.db);
    await issue(1);
    // Between the look at the audit and the transaction.
    watched.afterNext(/from "audit_event" where "seq" >=/, () => open(post).turn());

    await server.turn();
    await server.turn();

    expect(sent).toHaveLength(1);
  });

  test('events that are no longer stored are skipped, and the others are sent', async () => {
    await add();
    const { sent, post } = play();
    await issue(9, 1);

    await open(post).turn();

    expect(sent.map(({ n }) => n)).toEqual([1]);
    expect((await deliveries()).map(({ state, outcome }) => `${state} ${outcome ?? ''}`).sort()).toEqual([
      'delivered 204',
      'failed no longer stored',
    ]);
  });

  test('messages are deleted with their webhook, also while in flight', async () => {
    const { id } = await add();
    await issue(1);
    const server = open(async () => {
      await removeWebhook({ db: db() }, id, BY);
      return { status: 500 };
    });

    await server.turn();
    await server.turn();

    expect(await deliveries()).toEqual([]);
    expect(server.logged).toEqual([]);
  });

  test('a stopping server starts no new deliveries', async () => {
    await add();
    await issue(...Array.from({ length: 20 }, (_, n) => 10 + n));
    const { sent, post } = play();
    const server = open((...message) => {
      server.stop();
      return post(...message);
    });

    await server.turn();

    expect(sent).toHaveLength(8);
    expect((await deliveries()).filter(({ state }) => state === 'queued')).toHaveLength(12);
  });

  test('without a webhook a turn is one statement, whatever the number of events', async () => {
    await issue(1, 2);
    const statements: string[] = [];
    const counting = db().withPlugin({
      transformQuery: ({ node, queryId }) => {
        statements.push(db().getExecutor().compileQuery(node, queryId).sql);
        return node;
      },
      transformResult: ({ result }) => Promise.resolve(result),
    });

    await open(play().post, counting).turn();

    expect(statements).toEqual([expect.stringMatching(/^select \* from "webhook" /)]);
  });

  test('at most a hundred webhooks can be added', async () => {
    for (let nth = 0; nth < 100; nth++) expect((await add()).id).not.toBe('');

    expect((await add()).id).toBe('');
    expect(await createWebhooksRepository(db()).list()).toHaveLength(100);
  });

  test('more events than fit in one batch are all sent', async () => {
    await add();
    await issue(...Array(501).keys());
    const { sent, post } = play();

    await open(post).turn();

    expect(sent).toHaveLength(500);
  });
});
