import { expect, test } from 'vitest';
import { deviceAttributes, readDeviceInQuery } from './compose.ts';

test.each([
  ['/plans', ''],
  ['/plans?os=ios&zone=z1', ''],
  ['/plans?hwid=device-1', ' data-device="device"'],
  ['/plans?hwid=device-1&zone=', ' data-device="device"'],
  ['/plans?hwid=device-1&zone=%3Cz%3E', ' data-refused'],
  ['/plans?hwid=short&zone=z1', ' data-refused'],
  ['/plans?hwid=device-1&hwid=device-1&zone=z1', ' data-refused'],
  ['/plans?zone=z1&hwid=device-1', ' data-device="zoned"'],
  ['/key-system-1?hwid=device-1&zone=z1&e=KS_FAST', ' data-device="zoned" data-refused'],
  ['/key-system-bypass?r=KS_REUSE', ' data-refused'],
  ['/v5?e=%22%3E', ''],
])('a document for %s says what its address names', (address, attributes) => {
  expect(deviceAttributes(readDeviceInQuery(address))).toBe(attributes);
});
