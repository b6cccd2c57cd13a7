import { describe, expect, test } from 'vitest';
import { createTestApi, type TestApi } from '#api/test/create-test-api.ts';
import { openBrowser } from '#api/test/speak-as.ts';
import {
  finishAtAdvertiser,
  passCaptcha,
  clickComplete,
  readState,
  requireLocation,
  walkStep,
  ZONE,
} from '#api/test/product/visitor-steps.ts';
import { beginRun, keyFor, NEW_ZONE, walkOn } from '#api/test/product/zone-steps.ts';

const HOUR = 60 * 60 * 1000;
const ASKED = (step: number) =>
  `/key-system-${String(step)}?hwid=device-1234&zone=${NEW_ZONE}&advertiser=linkvertise&e=KS_OTHER_ZONE`;

describe('any other browser', () => {
  test.each(['a browser', 'a client without cookies'])('%s is asked, and its request changes nothing', async (who) => {
    const api = await createTestApi();
    const owner = await beginRun(api);
    const before = await api.db.selectFrom('run').selectAll().execute();
    const other = who === 'a browser' ? openBrowser(api) : api;

    expect(await clickComplete(other, { zone: NEW_ZONE, step: 2 })).toBe(ASKED(2));
    expect(await clickComplete(other, { zone: NEW_ZONE, step: 2 })).toBe(ASKED(2));

    expect(await api.db.selectFrom('run').selectAll().execute()).toEqual(before);
    expect(await api.db.selectFrom('stepAttempt').selectAll().execute()).toHaveLength(1);
    expect(await readState(other, { zone: NEW_ZONE })).toMatchObject({ run: { step: 2, zone: 'other' } });
    await walkOn(owner, 2, { zone: ZONE });
    expect(await keyFor(api, ZONE)).toBe('active');
  });

  test('is asked without a zone as well, and on the companion’s steps', async () => {
    const api = await createTestApi();
    await beginRun(api);
    const owner = openBrowser(api);
    await passCaptcha(owner);
    await walkStep(owner, { companion: true, zone: ZONE });

    expect(await clickComplete(openBrowser(api), { zone: '', step: 2 })).toBe(
      '/key-system-2?hwid=device-1234&advertiser=linkvertise&e=KS_OTHER_ZONE',
    );
    expect(await clickComplete(openBrowser(api), { zone: NEW_ZONE, step: 2, companion: true })).toBe(
      `/rosaverx${ASKED(2)}`,
    );
  });

  test('goes on with the run as it is: the zone stays, and the end says that the key is not for this one', async () => {
    const api = await createTestApi();
    await beginRun(api);
    const other = openBrowser(api);

    expect(await walkStep(other, { zone: NEW_ZONE, step: 2, run: 'keep' })).toBe(
      `/key-system-3?hwid=device-1234&zone=${NEW_ZONE}&advertiser=linkvertise`,
    );
    expect(await clickComplete(other, { zone: NEW_ZONE, step: 3 })).toBe(ASKED(3));
    expect(await walkOn(other, 3, { zone: NEW_ZONE, run: 'keep' })).toBe(
      `/key-system-getkey?hwid=device-1234&zone=${NEW_ZONE}`,
    );

    expect([await keyFor(api, NEW_ZONE), await keyFor(api, ZONE)]).toEqual(['none', 'active']);
    expect(await readState(other, { zone: NEW_ZONE })).toMatchObject({
      run: null,
      key: { active: true, zone: 'other' },
    });
  });

  test('begins again at the usual price, and the key goes to its own zone', async () => {
    const api = await createTestApi();
    await beginRun(api);
    const other = openBrowser(api);

    expect(await clickComplete(other, { zone: NEW_ZONE, step: 1, run: 'new' })).toBe(
      `/key-system-1?hwid=device-1234&zone=${NEW_ZONE}&e=KS_CAPTCHA&run=new`,
    );
    await passCaptcha(other);
    expect(await walkStep(other, { zone: NEW_ZONE, step: 1, run: 'new' })).toBe(
      `/key-system-2?hwid=device-1234&zone=${NEW_ZONE}&advertiser=linkvertise`,
    );
    expect(await readState(other, { zone: NEW_ZONE })).toMatchObject({ run: { step: 2, zone: 'same' } });
    await walkOn(other, 2, { zone: NEW_ZONE });

    expect([await keyFor(api, NEW_ZONE), await keyFor(api, ZONE)]).toEqual(['active', 'in_progress']);
  });

  test('who begins again burns nothing of the run that was open: its owner comes back to it, and to their own key', async () => {
    const api = await createTestApi();
    const owner = await beginRun(api);
    const link = await clickComplete(owner, { zone: ZONE, step: 2 });
    const stranger = openBrowser(api);
    await passCaptcha(stranger);
    await walkStep(stranger, { zone: NEW_ZONE, run: 'new' });

    expect(requireLocation(await owner.visit(await finishAtAdvertiser(owner, link)))).toBe(
      `/key-system-3?hwid=device-1234&zone=${ZONE}&advertiser=linkvertise`,
    );
    await walkOn(stranger, 2, { zone: NEW_ZONE });
    expect(await walkOn(owner, 3, { zone: ZONE })).toContain('/key-system-getkey?');
    expect([await keyFor(api, NEW_ZONE), await keyFor(api, ZONE)]).toEqual(['active', 'active']);
  });

  test('begins again no more often than it may begin', async () => {
    const api = await createTestApi();
    await beginRun(api);
    for (let count = 1; count <= 5; count++) {
      const other = openBrowser(api);
      await passCaptcha(other);
      expect(await clickComplete(other, { zone: `other-${String(count)}`, run: 'new' })).toContain('/dev/advertiser/');
      api.pass(1000);
    }
    const tooMany = openBrowser(api);
    await passCaptcha(tooMany);

    expect(await clickComplete(tooMany, { zone: 'other-6', run: 'new' })).toContain(
      '/key-system-1?hwid=device-1234&zone=other-6&e=KS_LIMIT&run=new&until=',
    );
    api.pass(HOUR);
    await passCaptcha(tooMany);
    expect(await clickComplete(tooMany, { zone: 'other-6', run: 'new' })).toContain('/dev/advertiser/');
  });

  test('begins a run of its own beside a key that only another zone reaches', async () => {
    const api = await createTestApi();
    const owner = await beginRun(api);
    await walkOn(owner, 2, { zone: ZONE });
    const other = openBrowser(api);
    await passCaptcha(other);

    await walkStep(other, { zone: NEW_ZONE });
    await walkOn(other, 2, { zone: NEW_ZONE });

    expect([await keyFor(api, NEW_ZONE), await keyFor(api, ZONE)]).toEqual(['active', 'active']);
    expect(await clickComplete(other, { zone: ZONE })).toBe(`/key-system-getkey?hwid=device-1234&zone=${ZONE}`);
  });
});

describe('where a newer run is open beside the first', () => {
  test('the browser that began the first goes on with it, also by a link that neither was begun with', async () => {
    const api = await createTestApi();
    const owner = await beginRun(api);
    api.pass(1000);
    await beginBeside(openBrowser(api), NEW_ZONE);

    expect(await readState(owner, { zone: 'zone-3' })).toMatchObject({ run: { step: 2, zone: 'moves' } });
    expect(await walkStep(owner, { zone: 'zone-3', step: 2 })).toBe(
      '/key-system-3?hwid=device-1234&zone=zone-3&advertiser=linkvertise',
    );
  });

  test('a client without cookies goes on with the run of its zone, though the newer one serves every zone', async () => {
    const api = await createTestApi();
    await beginRun(api);
    api.pass(1000);
    await beginBeside(openBrowser(api), '');

    expect(await readState(api)).toMatchObject({ run: { step: 2, zone: 'same' } });
    expect(await walkStep(api, { step: 2 })).toBe(`/key-system-3?hwid=device-1234&zone=${ZONE}&advertiser=linkvertise`);
  });
});

test('a key of one’s own browser follows to the app’s new zone, though another browser’s ends later', async () => {
  const api = await createTestApi();
  const owner = await beginRun(api);
  await walkOn(owner, 2, { zone: ZONE });
  const other = openBrowser(api);
  await passCaptcha(other);
  await walkStep(other, { zone: NEW_ZONE });
  await walkOn(other, 2, { zone: NEW_ZONE });

  expect(await readState(owner, { zone: 'zone-3' })).toMatchObject({ key: { active: true, zone: 'moves' } });
  expect(await clickComplete(owner, { zone: 'zone-3' })).toBe('/key-system-getkey?hwid=device-1234&zone=zone-3');
  expect([await keyFor(api, 'zone-3'), await keyFor(api, NEW_ZONE), await keyFor(api, ZONE)]).toEqual([
    'active',
    'active',
    'none',
  ]);
});

/** A visitor who was asked about the open run begins another one. */
async function beginBeside(browser: TestApi, zone: string): Promise<void> {
  await passCaptcha(browser);
  await clickComplete(browser, { zone, run: 'new' });
}
