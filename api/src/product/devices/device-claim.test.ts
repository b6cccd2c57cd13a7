import { expect, test } from 'vitest';
import { parseDeviceClaim, parseHwid } from './device.ts';

test('a device id and a zone are trimmed, and the zone is optional', () => {
  expect(parseDeviceClaim({ hwid: 'device-1234\n', zone: ' zone-1\r\n' })).toEqual({
    hwid: 'device-1234',
    zone: 'zone-1',
  });
  expect(parseHwid('device-1234')).toBe('device-1234');
  expect(parseDeviceClaim({ hwid: 'device-1234', step: '2' })).toEqual({ hwid: 'device-1234', zone: '' });
});

test.each([
  { what: 'no device id', read: () => parseHwid(undefined), code: 'KS_HWID' },
  { what: 'two device ids', read: () => parseHwid(['device-1234', 'device-5678']), code: 'KS_HWID' },
  { what: 'what many devices send', read: () => parseHwid('undefined'), code: 'KS_HWID' },
  { what: 'a malformed zone', read: () => parseDeviceClaim({ hwid: 'device-1234', zone: '<' }), code: 'KS_ZONE' },
  { what: 'a claim without a device id', read: () => parseDeviceClaim({ zone: 'zone-1' }), code: 'KS_HWID' },
  {
    what: 'a claim with two zones',
    read: () => parseDeviceClaim({ hwid: 'device-1234', zone: ['a', 'b'] }),
    code: 'KS_ZONE',
  },
])('$what is rejected as $code', ({ read, code }) => {
  expect(read).toThrow(expect.objectContaining({ code }) as Error);
});
