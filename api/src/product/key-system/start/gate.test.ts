import { expect, test } from 'vitest';
import { createTestApi } from '#api/test/create-test-api.ts';
import { speakAs } from '#api/test/speak-as.ts';
import {
  HWID,
  passCaptcha,
  clickComplete,
  readState,
  requireLocation,
  walkStep,
} from '#api/test/product/visitor-steps.ts';

/** A step start at the gate names a device and no zone. */
const GATE_PRESS = `/api/keysystemv2?hwid=${HWID}&advertiser=rinku&os=ios`;

test('without a zone a run begins at the gate: what is missing there is said there', async () => {
  const api = await createTestApi();

  expect(requireLocation(await api.visit(GATE_PRESS))).toBe(`/gate?hwid=${HWID}&os=ios&advertiser=rinku&e=KS_CAPTCHA`);
  expect(await clickComplete(api, { zone: '', step: 3 })).toBe(`/gate?hwid=${HWID}`);
});

test('a run without a zone that took too long begins again at the gate', async () => {
  const api = await createTestApi();
  await passCaptcha(api);
  const link = await clickComplete(api, { zone: '' });
  api.pass(7 * 60 * 60 * 1000);

  const target = new URL(link).searchParams.get('r') ?? '';
  const returned = Buffer.from(target, 'base64').toString();
  expect(requireLocation(await api.visit(returned))).toBe(`/gate?hwid=${HWID}&e=KS_EXPIRED`);
});

test('an open run without a zone goes on at its step, and never at the gate', async () => {
  const api = await createTestApi();
  await passCaptcha(api);

  expect(await walkStep(api, { zone: '' })).toBe(`/key-system-2?hwid=${HWID}&advertiser=linkvertise`);
  expect(await clickComplete(api, { zone: '', step: 5 })).toBe(`/key-system-2?hwid=${HWID}&advertiser=linkvertise`);
});

test('the companion, which has no gate, begins at its own first step', async () => {
  const api = await createTestApi();

  expect(await clickComplete(api, { zone: '', companion: true })).toBe(
    `/rosaverx/key-system-1?hwid=${HWID}&e=KS_CAPTCHA`,
  );
});

test('the state says whether the run was begun in the browser that asks', async () => {
  const api = await createTestApi({ trustedHops: 1 });
  const visitor = speakAs(api, { address: '198.51.100.7' });
  await passCaptcha(visitor);
  await clickComplete(visitor, { zone: '' });

  expect(await readState(visitor)).toMatchObject({ run: { own: true } });
  expect(await readState(speakAs(api, { address: '203.0.113.9' }))).toMatchObject({ run: { own: false } });
});

test('a device with a working key is led to it from the gate, whichever link of the app the key was made for', async () => {
  const api = await createTestApi({ trustedHops: 1 });
  const owner = speakAs(api, { address: '198.51.100.7' });
  await passCaptcha(owner);
  for (const step of [1, 2, 3, 4, 5, 6]) await walkStep(owner, { step });
  const another = speakAs(api, { address: '203.0.113.9' });
  await passCaptcha(another);

  expect(requireLocation(await another.visit(GATE_PRESS))).toBe(`/key-system-getkey?hwid=${HWID}&os=ios`);
  expect(await readState(another, { zone: '' })).toMatchObject({ run: null, key: { active: true, zone: 'same' } });
});
