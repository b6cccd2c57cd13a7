import { findInvalidParam, deviceIn, knownDeviceIn, listDeviceParams } from '@app/contracts/device-params';
import { expect, test } from 'vitest';
import { detectOs } from './visitor.ts';

test.each([
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)', 5, 'ios'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)', 5, 'ios'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)', 0, 'android'],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64)', 0, 'windows'],
  ['Mozilla/5.0 (Linux; Android 15; Pixel 9)', 5, 'android'],
  ['', 0, 'android'],
])('%s with %d touch points is detected as %s', (userAgent, touchPoints, os) => {
  expect(detectOs(userAgent, touchPoints)).toBe(os);
});

test.each([
  ['', 'none', undefined],
  ['zone=z', 'none', undefined],
  ['hwid=&zone=', 'none', undefined],
  ['hwid=device-1', 'device', undefined],
  ['hwid=device-1&zone=', 'device', undefined],
  ['hwid=device-1&zone=z', 'zoned', undefined],
  ['hwid=short&zone=z', 'none', 'hwid'],
  ['hwid=device%201&zone=z', 'none', 'hwid'],
  ['hwid=device-1&hwid=device-1&zone=z', 'none', 'hwid'],
  ['hwid=device-1%0A&zone=+z%0D%0A', 'zoned', undefined],
  ['hwid=device-1&zone=%3Cz%3E', 'none', 'zone'],
  ['hwid=device-1&zone=z&zone=z', 'none', 'zone'],
] as const)('the known device in “%s” is %s', (query, known, broken) => {
  const read = new URLSearchParams(query);

  expect(knownDeviceIn(read)).toBe(known);
  expect(findInvalidParam(read)).toBe(broken);
  expect('hwid' in deviceIn(read)).toBe(known !== 'none');
});

test('trims the device parameters of a link', () => {
  expect(deviceIn(new URLSearchParams('hwid=device-1%0A&zone=+z%0D%0A'))).toEqual({ hwid: 'device-1', zone: 'z' });
});

test('ignores repeated device parameters of a link', () => {
  expect(listDeviceParams(new URLSearchParams('hwid=device-1&hwid=device-2&zone=z&os=IOS'))).toEqual([
    ['zone', 'z'],
    ['os', 'ios'],
  ]);
});
