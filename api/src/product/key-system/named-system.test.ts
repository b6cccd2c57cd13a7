import { expect, test } from 'vitest';
import { createTestApi } from '#api/test/create-test-api.ts';
import { HWID, passCaptcha, clickComplete, walkStep, ZONE } from '#api/test/product/visitor-steps.ts';

const WHO = `hwid=${HWID}&zone=${ZONE}&os=android_vng`;

test('the system that a step start names stands in the address of every page up to the key', async () => {
  const api = await createTestApi();
  await passCaptcha(api, { os: 'android_vng' });

  const pages = [];
  for (const step of [1, 2, 3, 4, 5, 6]) pages.push(await walkStep(api, { step, os: 'Android_VNG' }));

  expect(pages).toEqual([
    ...[2, 3, 4, 5, 6].map((step) => `/key-system-${step}?${WHO}&advertiser=linkvertise`),
    `/key-system-getkey?${WHO}`,
  ]);
});

test('a step start that leads back to a page, or to the bypass page, keeps the system too', async () => {
  const api = await createTestApi();
  await passCaptcha(api, { os: 'android_vng' });

  expect(await walkStep(api, { os: 'android_vng' }, 'wrong_proof')).toBe(`/key-system-bypass?${WHO}&r=KS_PROOF`);
  expect(await clickComplete(api, { os: 'android_vng', step: 5 })).toBe(`/key-system-1?${WHO}&advertiser=linkvertise`);
});

test('the companion keeps a system that its address names', async () => {
  const api = await createTestApi();
  await passCaptcha(api, { os: 'ios' });

  expect(await walkStep(api, { companion: true, os: 'ios' })).toBe(
    `/rosaverx/key-system-2?hwid=${HWID}&zone=${ZONE}&os=ios&advertiser=linkvertise`,
  );
});
