import { expect, test } from 'vitest';
import { findInvalidParam, deviceIn, knownDeviceIn, listDeviceParams } from '@app/contracts/device-params';

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
] as const)('“%s” names as much of a device as the API accepts: %s', (query, known, broken) => {
  const read = new URLSearchParams(query);

  expect(knownDeviceIn(read)).toBe(known);
  expect(findInvalidParam(read)).toBe(broken);
  expect('hwid' in deviceIn(read)).toBe(known !== 'none');
});

test('a link keeps no white space around a value', () => {
  expect(deviceIn(new URLSearchParams('hwid=device-1%0A&zone=+z%0D%0A'))).toEqual({ hwid: 'device-1', zone: 'z' });
});

test('a link keeps no value that comes twice', () => {
  expect(listDeviceParams(new URLSearchParams('hwid=device-1&hwid=device-2&zone=z&os=IOS'))).toEqual([
    ['zone', 'z'],
    ['os', 'ios'],
  ]);
});
