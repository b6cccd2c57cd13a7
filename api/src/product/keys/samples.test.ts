import type { RequestListener } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApi, type TestApi } from '#api/test/create-test-api.ts';
import { listen } from '#api/test/listen.ts';
import { HWID, passCaptcha, clickComplete, walkStep, ZONE } from '#api/test/product/visitor-steps.ts';
import { startHarness } from '../../../../tools/samples/harness.ts';
import { SAMPLE_LANGUAGES } from '../../../../tools/samples/languages.ts';

describe.each(SAMPLE_LANGUAGES)('the sample in $name', ({ prepare }) => {
  let harness: ReturnType<typeof startHarness>;
  beforeAll(async () => {
    harness = startHarness(await prepare());
  });
  afterAll(async () => expect(await harness.end()).toBe(0));

  test('opens the page, waits for the key step by step, and checks it with the keys that the server publishes', async () => {
    const api = await createTestApi();

    const told = await harness.play({ site: api.origin, app: 'main', hwid: HWID, zone: ZONE }, walkOn(api, 'main'));

    expect(told[0]).toBe(`link ${api.origin}/key-system-1?hwid=${HWID}&zone=${ZONE}`);
    expect(told.filter((line) => !/^wait(ing steps)? 5$/.test(line)).slice(1)).toEqual([
      'answer none',
      ...[1, 2, 3, 4, 5, 6].map((step) => `answer in_progress ${step}`),
      'answer active',
      'offline VALID',
      'offline elsewhere DEVICE_MISMATCH',
      'online VALID',
      expect.stringMatching(/^high water /),
    ]);
    expect(highWaterOf(told)).toBeCloseTo(api.now() / 1000, 3);
  });

  test('names its app, so that the companion comes to its key, which opens the app again until it is withdrawn', async () => {
    const api = await createTestApi();
    const round = { site: api.origin, app: 'companion', hwid: HWID, zone: ZONE };

    const told = await harness.play(round, walkOn(api, 'companion'));

    expect(told[0]).toBe(`link ${api.origin}/rosaverx/key-system-1?hwid=${HWID}&zone=${ZONE}`);
    expect(told).toContain('online VALID');

    const { jws: cachedKey } = await api.db.selectFrom('accessKey').select('jws').executeTakeFirstOrThrow();
    expect(await harness.play({ ...round, cachedKey }, noWait)).toEqual(
      expect.arrayContaining(['opened', 'open VALID']),
    );

    await api.db.updateTable('accessKey').set({ revokedAt: api.now() }).execute();
    const withdrawn = await harness.play({ ...round, cachedKey }, walkOn(api, 'companion'));
    expect(withdrawn.slice(1, 3)).toEqual(['opened', 'open REVOKED']);
  });

  test('says what was wrong with a question that the server refuses', async () => {
    const api = await createTestApi();

    const told = await harness.play({ site: api.origin, app: 'main', hwid: 'short', zone: ZONE }, noWait);

    expect(told.slice(1)).toEqual(['refused KS_HWID']);
  });

  test('waits for as long as a server that is busy says', async () => {
    let asked = 0;
    const busy: RequestListener = (_req, res) => {
      asked += 1;
      if (asked > 1)
        return void res
          .writeHead(403)
          .end(JSON.stringify({ status: 'blocked', until: null, reason: 'KS_BLOCKED', app: 'main', now: 1000 }));
      res.writeHead(503, { 'retry-after': '7' }).end('{}');
    };

    const site = await listen(busy);
    const told = await harness.play({ site, app: 'main', hwid: HWID, zone: ZONE, jwks: { keys: [] } }, noWait);

    expect(told.slice(1, 4)).toEqual(['waiting busy 7', 'wait 7', 'answer blocked']);
    expect(highWaterOf(told)).toBe(1);
  });
});

/** What a client told last, in seconds. */
function highWaterOf(told: string[]): number {
  return Number(told.at(-1)?.replace('high water ', ''));
}

const noWait = () => Promise.resolve();

/**
 * A visitor who does one thing each time the app waits: first the captcha and the first step start, then a step each
 * time.
 */
function walkOn(api: TestApi, app: 'main' | 'companion'): () => Promise<void> {
  const companion = app === 'companion';
  let step = 0;
  return async () => {
    if (step === 0) await passCaptcha(api);
    // The first step start is a turn of its own, so that the app sees step 1.
    if (step === 0) await clickComplete(api, { companion });
    else await walkStep(api, { companion, ...(step === 1 ? {} : { step }) });
    step += 1;
  };
}
