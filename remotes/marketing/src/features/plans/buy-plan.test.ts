import { PLANS } from '@app/contracts/plans';
import { expect, test } from 'vitest';
import { paymentAddress } from './buy-plan.ts';

test('the payment URL has the device, the plan and the time', () => {
  const at = new Date('2026-03-01T12:00:00.000Z');

  expect(paymentAddress(PLANS[2], { hwid: 'device-1', zone: 'a b' }, at)).toBe(
    '/api/create-payment?hwid=device-1&mode=3&zone=a+b&date=2026-03-01T12%3A00%3A00.000Z',
  );
});

test('without a device the payment URL has the plan alone', () => {
  expect(paymentAddress(PLANS[0], undefined)).toBe('/api/create-payment?mode=1');
});
