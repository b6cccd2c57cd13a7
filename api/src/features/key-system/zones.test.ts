import { describe, expect, test } from 'vitest';
import { createTestApi, type TestApi } from '#api/test/create-test-api.ts';
import { openBrowser } from '#api/test/speak-as.ts';
import { finishAtAdvertiser, LONG_ENOUGH_MS, passCaptcha, pressComplete, readState, requireLocation, walkStep } from '#api/test/visitor-steps.ts';

const OLD = 'zone-1';
const NEW = 'zone-2';
const HOUR = 60 * 60 * 1000;
const ASKED = (step: number, zone = NEW) => `/key-system-${String(step)}?hwid=device-1234&zone=${zone}&advertiser=linkvertise&e=KS_OTHER_ZONE`;

/** What the app of the device is told when it asks with a zone. */
async function keyFor(api: TestApi, zone: string, app = 'main'): Promise<string> {
  const answer = (await (await api.ask(`/api/key?hwid=device-1234&zone=${zone}&app=${app}`)).json()) as { status: string };
  return answer.status;
}

/** A browser whose run has come to step 2, in the old zone. */
async function beginRun(api: TestApi): Promise<TestApi> {
  const owner = openBrowser(api);
  await passCaptcha(owner);
  await walkStep(owner, { zone: OLD });
  return owner;
}

async function walkOn(browser: TestApi, from: number, options: Parameters<typeof walkStep>[1]): Promise<string> {
  let page = '';
  for (let step = from; step <= 6; step++) page = await walkStep(browser, { ...options, step });
  return page;
}

describe('the browser that began the run', () => {
  test('moves it to the new zone with its next press, and the key goes there alone', async () => {
    const api = await createTestApi();
    const owner = await beginRun(api);
    expect(await readState(owner, { zone: NEW })).toMatchObject({ run: { step: 2, zone: 'moves' } });

    expect(await walkStep(owner, { step: 2, zone: NEW })).toBe(`/key-system-3?hwid=device-1234&zone=${NEW}&advertiser=linkvertise`);
    expect(await readState(owner, { zone: NEW })).toMatchObject({ run: { step: 3, zone: 'same' } });
    await walkOn(owner, 3, { zone: NEW });

    expect([await keyFor(api, NEW), await keyFor(api, OLD)]).toEqual(['active', 'none']);
  });

  test('may do so at the last step, and is known from its very first press on', async () => {
    const api = await createTestApi();
    const owner = openBrowser(api);
    await passCaptcha(owner);
    await pressComplete(owner, { zone: OLD });
    await api.db.updateTable('run').set({ step: 6 }).execute();

    await walkStep(owner, { zone: NEW, step: 6 });

    expect(await keyFor(api, NEW)).toBe('active');
  });

  test('comes back from a visit under way to pages of the new zone', async () => {
    const api = await createTestApi();
    const owner = await beginRun(api);
    const link = await pressComplete(owner, { zone: OLD, step: 2 });
    await pressComplete(owner, { zone: NEW, step: 2 });
    api.pass(LONG_ENOUGH_MS);
    const address = await finishAtAdvertiser(owner, link);

    // The window inside an app has no cookie, but the ticket was given to the browser that has.
    expect(requireLocation(await api.visit(address))).toBe(`/key-system-3?hwid=device-1234&zone=${NEW}&advertiser=linkvertise`);
  });

  test('has its key where the run was moved to, also when LootLabs’ call ends it', async () => {
    const api = await createTestApi();
    const owner = await beginRun(api);
    await api.db.updateTable('run').set({ step: 6 }).execute();
    const first = await pressComplete(owner, { zone: OLD, step: 6, advertiser: 'lootlabs' });
    await pressComplete(owner, { zone: NEW, step: 6, advertiser: 'lootlabs' });
    api.pass(LONG_ENOUGH_MS);

    // The stand-in calls before it sends the visitor back, who never arrives.
    await finishAtAdvertiser(owner, first);

    expect([await keyFor(api, NEW), await keyFor(api, OLD)]).toEqual(['active', 'none']);
  });

  test('goes on with the zone as it is where it says so', async () => {
    const api = await createTestApi();
    const owner = await beginRun(api);

    expect(await walkStep(owner, { step: 2, zone: NEW, run: 'keep' })).toBe(`/key-system-3?hwid=device-1234&zone=${OLD}&advertiser=linkvertise`);
  });

  test('keeps the zone where an address has none, and is led on with it', async () => {
    const api = await createTestApi();
    const owner = await beginRun(api);

    expect(await walkStep(owner, { step: 2, zone: '' })).toBe(`/key-system-3?hwid=device-1234&zone=${OLD}&advertiser=linkvertise`);
  });

  test('takes a key that is there already along to the new zone', async () => {
    const api = await createTestApi();
    const owner = await beginRun(api);
    await walkOn(owner, 2, { zone: OLD });
    expect(await readState(owner, { zone: NEW })).toMatchObject({ key: { active: true, zone: 'moves' } });

    expect(await pressComplete(owner, { zone: NEW })).toBe(`/key-system-getkey?hwid=device-1234&zone=${NEW}`);

    expect([await keyFor(api, NEW), await keyFor(api, OLD)]).toEqual(['active', 'none']);
  });

  test('moves the companion’s run as well', async () => {
    const api = await createTestApi();
    const owner = openBrowser(api);
    await passCaptcha(owner);
    await walkStep(owner, { zone: OLD, companion: true });
    for (const step of [2, 3]) await walkStep(owner, { zone: NEW, companion: true, step });

    expect(await keyFor(api, NEW, 'companion')).toBe('active');
  });

  test('leaves the move in the audit', async () => {
    const api = await createTestApi();
    const owner = await beginRun(api);
    await pressComplete(owner, { zone: NEW, step: 2 });

    expect(await api.db.selectFrom('auditEvent').select('code').where('kind', '=', 'run').execute()).toEqual([{ code: 'opened' }, { code: 'moved' }]);
  });
});

describe('any other browser', () => {
  test.each(['a browser', 'a client without cookies'])('%s is asked, and its press changes nothing', async (who) => {
    const api = await createTestApi();
    const owner = await beginRun(api);
    const before = await api.db.selectFrom('run').selectAll().execute();
    const other = who === 'a browser' ? openBrowser(api) : api;

    expect(await pressComplete(other, { zone: NEW, step: 2 })).toBe(ASKED(2));
    expect(await pressComplete(other, { zone: NEW, step: 2 })).toBe(ASKED(2));

    expect(await api.db.selectFrom('run').selectAll().execute()).toEqual(before);
    expect(await api.db.selectFrom('stepAttempt').selectAll().execute()).toHaveLength(1);
    expect(await readState(other, { zone: NEW })).toMatchObject({ run: { step: 2, zone: 'other' } });
    await walkOn(owner, 2, { zone: OLD });
    expect(await keyFor(api, OLD)).toBe('active');
  });

  test('is asked without a zone as well, and on the companion’s steps', async () => {
    const api = await createTestApi();
    await beginRun(api);
    const owner = openBrowser(api);
    await passCaptcha(owner);
    await walkStep(owner, { companion: true, zone: OLD });

    expect(await pressComplete(openBrowser(api), { zone: '', step: 2 })).toBe('/key-system-2?hwid=device-1234&advertiser=linkvertise&e=KS_OTHER_ZONE');
    expect(await pressComplete(openBrowser(api), { zone: NEW, step: 2, companion: true })).toBe(`/rosaverx${ASKED(2)}`);
  });

  test('goes on with the run as it is: the zone stays, and the end says that the key is not for this one', async () => {
    const api = await createTestApi();
    await beginRun(api);
    const other = openBrowser(api);

    expect(await walkStep(other, { zone: NEW, step: 2, run: 'keep' })).toBe(`/key-system-3?hwid=device-1234&zone=${NEW}&advertiser=linkvertise`);
    expect(await pressComplete(other, { zone: NEW, step: 3 })).toBe(ASKED(3));
    expect(await walkOn(other, 3, { zone: NEW, run: 'keep' })).toBe(`/key-system-getkey?hwid=device-1234&zone=${NEW}`);

    expect([await keyFor(api, NEW), await keyFor(api, OLD)]).toEqual(['none', 'active']);
    expect(await readState(other, { zone: NEW })).toMatchObject({ run: null, key: { active: true, zone: 'other' } });
  });

  test('begins again at the usual price, and the key goes to its own zone', async () => {
    const api = await createTestApi();
    await beginRun(api);
    const other = openBrowser(api);

    expect(await pressComplete(other, { zone: NEW, step: 1, run: 'new' })).toBe(`/key-system-1?hwid=device-1234&zone=${NEW}&e=KS_CAPTCHA&run=new`);
    await passCaptcha(other);
    expect(await walkStep(other, { zone: NEW, step: 1, run: 'new' })).toBe(`/key-system-2?hwid=device-1234&zone=${NEW}&advertiser=linkvertise`);
    expect(await readState(other, { zone: NEW })).toMatchObject({ run: { step: 2, zone: 'same' } });
    await walkOn(other, 2, { zone: NEW });

    expect([await keyFor(api, NEW), await keyFor(api, OLD)]).toEqual(['active', 'in_progress']);
  });

  test('who begins again burns nothing of the run that was open: its owner comes back to it, and to their own key', async () => {
    const api = await createTestApi();
    const owner = await beginRun(api);
    const link = await pressComplete(owner, { zone: OLD, step: 2 });
    const stranger = openBrowser(api);
    await passCaptcha(stranger);
    await walkStep(stranger, { zone: NEW, run: 'new' });

    expect(requireLocation(await owner.visit(await finishAtAdvertiser(owner, link)))).toBe(`/key-system-3?hwid=device-1234&zone=${OLD}&advertiser=linkvertise`);
    await walkOn(stranger, 2, { zone: NEW });
    expect(await walkOn(owner, 3, { zone: OLD })).toContain('/key-system-getkey?');
    expect([await keyFor(api, NEW), await keyFor(api, OLD)]).toEqual(['active', 'active']);
  });

  test('begins again no more often than it may begin', async () => {
    const api = await createTestApi();
    await beginRun(api);
    for (let count = 1; count <= 5; count++) {
      const other = openBrowser(api);
      await passCaptcha(other);
      expect(await pressComplete(other, { zone: `other-${String(count)}`, run: 'new' })).toContain('/dev/advertiser/');
      api.pass(1000);
    }
    const tooMany = openBrowser(api);
    await passCaptcha(tooMany);

    expect(await pressComplete(tooMany, { zone: 'other-6', run: 'new' })).toContain('/key-system-1?hwid=device-1234&zone=other-6&e=KS_LIMIT&run=new&until=');
    api.pass(HOUR);
    await passCaptcha(tooMany);
    expect(await pressComplete(tooMany, { zone: 'other-6', run: 'new' })).toContain('/dev/advertiser/');
  });

  test('begins a run of its own beside a key that only another zone reaches', async () => {
    const api = await createTestApi();
    const owner = await beginRun(api);
    await walkOn(owner, 2, { zone: OLD });
    const other = openBrowser(api);
    await passCaptcha(other);

    await walkStep(other, { zone: NEW });
    await walkOn(other, 2, { zone: NEW });

    expect([await keyFor(api, NEW), await keyFor(api, OLD)]).toEqual(['active', 'active']);
    expect(await pressComplete(other, { zone: OLD })).toBe(`/key-system-getkey?hwid=device-1234&zone=${OLD}`);
  });
});

test('a run that was begun without a zone serves every zone, and nobody is asked', async () => {
  const api = await createTestApi();
  const owner = openBrowser(api);
  await passCaptcha(owner);
  await walkStep(owner, { zone: '' });
  const other = openBrowser(api);

  expect(await walkStep(other, { zone: NEW, step: 2 })).toBe(`/key-system-3?hwid=device-1234&zone=${NEW}&advertiser=linkvertise`);
  await walkOn(other, 3, { zone: NEW });

  expect([await keyFor(api, NEW), await keyFor(api, OLD)]).toEqual(['active', 'active']);
});

test('a browser that takes no cookies goes on with its zone', async () => {
  const api = await createTestApi();
  await passCaptcha(api);
  await walkStep(api, { zone: OLD });

  expect(await walkStep(api, { zone: OLD, step: 2 })).toBe(`/key-system-3?hwid=device-1234&zone=${OLD}&advertiser=linkvertise`);
});

test('ten zones that begin at once get one run, and all but its own are asked', async () => {
  const api = await createTestApi();
  for (let passes = 0; passes < 10; passes++) await passCaptcha(api);

  const leads = await Promise.all(Array.from({ length: 10 }, (_, zone) => pressComplete(openBrowser(api), { zone: `zone-${String(zone)}` })));

  expect(await api.db.selectFrom('run').selectAll().execute()).toHaveLength(1);
  expect(leads.filter((lead) => lead.includes('/dev/advertiser/'))).toHaveLength(1);
  expect(leads.filter((lead) => lead.includes('e=KS_OTHER_ZONE'))).toHaveLength(9);
});
