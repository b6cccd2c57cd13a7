import { describe, expect, test } from 'vitest';
import { createTestApi } from '#api/test/create-test-api.ts';
import { openBrowser } from '#api/test/speak-as.ts';
import {
  finishAtAdvertiser,
  LONG_ENOUGH_MS,
  passCaptcha,
  clickComplete,
  readState,
  requireLocation,
  walkStep,
  ZONE,
} from '#api/test/product/visitor-steps.ts';
import { beginRun, keyFor, NEW_ZONE, walkOn } from '#api/test/product/zone-steps.ts';
import { sealed } from '#api/test/sealed.ts';

test('a run that was begun without a zone serves every zone to its end: its browser cannot take it, or its key, along', async () => {
  const api = await createTestApi();
  const attacker = openBrowser(api);
  await passCaptcha(attacker);
  await clickComplete(attacker, { zone: '' });
  const owner = openBrowser(api);
  for (const step of [1, 2, 3, 4, 5]) await walkStep(owner, { step });
  await clickComplete(attacker, { zone: NEW_ZONE, step: 6 });
  await walkStep(owner, { step: 6 });
  expect(await clickComplete(attacker, { zone: NEW_ZONE })).toContain('/key-system-getkey?');

  expect(await keyFor(api, ZONE)).toBe('active');
});

test('a page that leads on without a click moves nothing: neither an open run nor a key', async () => {
  const api = await createTestApi();
  const owner = await beginRun(api);

  expect(await clickComplete(owner, { zone: NEW_ZONE, run: 'stay' })).toContain('/dev/advertiser/');
  expect(await readState(owner)).toMatchObject({ run: { zone: 'same' } });
  expect(await clickComplete(openBrowser(api), { zone: NEW_ZONE, run: 'stay' })).toContain('e=KS_OTHER_ZONE');
  await walkOn(owner, 2, { zone: ZONE });
  expect(await clickComplete(owner, { zone: NEW_ZONE, run: 'stay' })).toContain('/key-system-getkey?');

  expect([await keyFor(api, NEW_ZONE), await keyFor(api, ZONE)]).toEqual(['none', 'active']);
});

describe('the browser that began the run', () => {
  test('moves it to the new zone with its next start of a step, and the key goes there alone', async () => {
    const api = await createTestApi();
    const owner = await beginRun(api);
    expect(await readState(owner, { zone: NEW_ZONE })).toMatchObject({ run: { step: 2, zone: 'moves' } });

    expect(await walkStep(owner, { step: 2, zone: NEW_ZONE })).toBe(
      `/key-system-3?hwid=device-1234&zone=${NEW_ZONE}&advertiser=linkvertise`,
    );
    expect(await readState(owner, { zone: NEW_ZONE })).toMatchObject({ run: { step: 3, zone: 'same' } });
    await walkOn(owner, 3, { zone: NEW_ZONE });

    expect([await keyFor(api, NEW_ZONE), await keyFor(api, ZONE)]).toEqual(['active', 'none']);
  });

  test('may do so at the last step, and is known from its very first request on', async () => {
    const api = await createTestApi();
    const owner = openBrowser(api);
    await passCaptcha(owner);
    await clickComplete(owner, { zone: ZONE });
    await api.db.updateTable('run').set({ step: 6 }).execute();

    await walkStep(owner, { zone: NEW_ZONE, step: 6 });

    expect(await keyFor(api, NEW_ZONE)).toBe('active');
  });

  test('comes back from a visit under way to pages of the new zone', async () => {
    const api = await createTestApi();
    const owner = await beginRun(api);
    const link = await clickComplete(owner, { zone: ZONE, step: 2 });
    await clickComplete(owner, { zone: NEW_ZONE, step: 2 });
    api.pass(LONG_ENOUGH_MS);
    const address = await finishAtAdvertiser(owner, link);

    // The app's own window has no cookie, but the ticket was given to the browser with the cookie.
    expect(requireLocation(await api.visit(address))).toBe(
      `/key-system-3?hwid=device-1234&zone=${NEW_ZONE}&advertiser=linkvertise`,
    );
  });

  test('is led on with the run’s zone also by a ticket that another browser was given', async () => {
    const api = await createTestApi();
    const owner = await beginRun(api);
    const other = openBrowser(api);
    const link = await clickComplete(other, { zone: NEW_ZONE, step: 2, run: 'keep' });
    api.pass(LONG_ENOUGH_MS);
    const address = await finishAtAdvertiser(other, link);

    expect(requireLocation(await owner.visit(address))).toBe(
      `/key-system-3?hwid=device-1234&zone=${ZONE}&advertiser=linkvertise`,
    );
  });

  test('has its key where the run was moved to, also when LootLabs’ call ends it', async () => {
    const api = await createTestApi();
    const owner = await beginRun(api);
    await api.db.updateTable('run').set({ step: 6 }).execute();
    const first = await clickComplete(owner, { zone: ZONE, step: 6, advertiser: 'lootlabs' });
    await clickComplete(owner, { zone: NEW_ZONE, step: 6, advertiser: 'lootlabs' });
    api.pass(LONG_ENOUGH_MS);

    // The fake advertiser calls first and then sends the visitor back; this visitor never arrives.
    await finishAtAdvertiser(owner, first);

    expect([await keyFor(api, NEW_ZONE), await keyFor(api, ZONE)]).toEqual(['active', 'none']);
  });

  test('goes on with the zone as it is where it says so', async () => {
    const api = await createTestApi();
    const owner = await beginRun(api);

    expect(await walkStep(owner, { step: 2, zone: NEW_ZONE, run: 'keep' })).toBe(
      `/key-system-3?hwid=device-1234&zone=${ZONE}&advertiser=linkvertise`,
    );
  });

  test('begins none beside it, whatever the address says', async () => {
    const api = await createTestApi();
    const owner = await beginRun(api);

    for (const zone of [ZONE, NEW_ZONE])
      expect(await clickComplete(owner, { step: 2, zone, run: 'new' })).toContain('/dev/advertiser/');
    expect(await api.db.selectFrom('run').select('step').execute()).toEqual([{ step: 2 }]);
  });

  test('keeps the zone where an address has none, and is led on with it', async () => {
    const api = await createTestApi();
    const owner = await beginRun(api);

    expect(await walkStep(owner, { step: 2, zone: '' })).toBe(
      `/key-system-3?hwid=device-1234&zone=${ZONE}&advertiser=linkvertise`,
    );
  });

  test('takes a key that is there already along to the new zone', async () => {
    const api = await createTestApi();
    const owner = await beginRun(api);
    await walkOn(owner, 2, { zone: ZONE });
    expect(await readState(owner, { zone: NEW_ZONE })).toMatchObject({ key: { active: true, zone: 'moves' } });

    expect(await clickComplete(owner, { zone: NEW_ZONE })).toBe(`/key-system-getkey?hwid=device-1234&zone=${NEW_ZONE}`);

    expect([await keyFor(api, NEW_ZONE), await keyFor(api, ZONE)]).toEqual(['active', 'none']);
  });

  test('moves the companion’s run as well', async () => {
    const api = await createTestApi();
    const owner = openBrowser(api);
    await passCaptcha(owner);
    await walkStep(owner, { zone: ZONE, companion: true });
    for (const step of [2, 3]) await walkStep(owner, { zone: NEW_ZONE, companion: true, step });

    expect(await keyFor(api, NEW_ZONE, 'companion')).toBe('active');
  });

  test('leaves the move in the audit', async () => {
    const api = await createTestApi();
    const owner = await beginRun(api);
    await clickComplete(owner, { zone: NEW_ZONE, step: 2 });

    expect(
      await (await sealed(api.db)).selectFrom('auditEvent').select('code').where('kind', '=', 'run').execute(),
    ).toEqual([{ code: 'opened' }, { code: 'moved' }]);
  });
});

test('a run that was begun without a zone serves every zone without a question', async () => {
  const api = await createTestApi();
  const owner = openBrowser(api);
  await passCaptcha(owner);
  await walkStep(owner, { zone: '' });
  const other = openBrowser(api);

  expect(await walkStep(other, { zone: NEW_ZONE, step: 2 })).toBe(
    `/key-system-3?hwid=device-1234&zone=${NEW_ZONE}&advertiser=linkvertise`,
  );
  await walkOn(other, 3, { zone: NEW_ZONE });

  expect([await keyFor(api, NEW_ZONE), await keyFor(api, ZONE)]).toEqual(['active', 'active']);
});

test('a browser that takes no cookies goes on with its zone', async () => {
  const api = await createTestApi();
  await passCaptcha(api);
  await walkStep(api, { zone: ZONE });

  expect(await walkStep(api, { zone: ZONE, step: 2 })).toBe(
    `/key-system-3?hwid=device-1234&zone=${ZONE}&advertiser=linkvertise`,
  );
});

test('ten zones that begin at once get one run, and all but its own are asked', async () => {
  const api = await createTestApi();
  for (let passes = 0; passes < 10; passes++) await passCaptcha(api);

  const leads = await Promise.all(
    Array.from({ length: 10 }, (_, zone) => clickComplete(openBrowser(api), { zone: `zone-${String(zone)}` })),
  );

  expect(await api.db.selectFrom('run').selectAll().execute()).toHaveLength(1);
  expect(leads.filter((lead) => lead.includes('/dev/advertiser/'))).toHaveLength(1);
  expect(leads.filter((lead) => lead.includes('e=KS_OTHER_ZONE'))).toHaveLength(9);
});
