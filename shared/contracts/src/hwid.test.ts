import { expect, test } from 'vitest';
import { readHwid } from './hwid.ts';

test.each(['short', 'x y z a b c', '<script>', "1' OR '1'='1", 'abc\0defgh', 'a'.repeat(5), 'ab'.repeat(65), ''])(
  'rejects %j as a device id',
  (hwid) => {
    expect(readHwid(hwid)).toBeUndefined();
  },
);

test.each([
  ...[
    'unknown-unknown',
    'unknown-serial',
    'android-null',
    'no-serial',
    'ANDROID_ID',
    'YOUR_HWID_HERE',
    '0x00000000',
    '1234567890ABCDEF',
    '987654321',
    '127.0.0.1',
    '00:11:22:33:44:55',
    '52:54:00:12:34:56',
    'cf83e1357eefb8bdf1542850d66d8007',
    'false-false',
    'true_true',
    'nil-nil',
    'not-available',
    'not_supported',
    'System.Manufacturer',
    'undefined',
    'undefined-undefined',
    'null-null',
    'NaN.NaN',
    'None-None',
    '[object Object]',
    'object-Object',
  ],
  ...['unknown', 'UNKNOWN', 'unknown-hwid', 'unavailable', 'INVALID', 'not_found', 'Not-Specified', 'Not.Applicable'],
  ...['Default-string', 'Default_string', 'To-Be-Filled-By-O.E.M.', 'ToBeFilledByOEM', 'System-Serial-Number'],
  ...['SystemSerialNumb', 'Chassis-Serial-Number', 'Base-Board-Serial-Number', 'System-Product-Name', 'OEM_Serial'],
  ...['000000', '000000000000000', '00:00:00:00:00:00', '00000000-0000-0000-0000-000000000000', 'xxxxxxx', '......'],
  ...['FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF', '01010101-0101-0101-0101-010101010101', 'ff:ff:ff:ff:ff:ff'],
  ...['0123456789ABCDEF', '0123456789', '123456', '12345678', '123456789012345', 'SN-12345', 'SYS-1234567890'],
  ...['03000200-0400-0500-0006-000700080009', '00020003-0004-0005-0006-000700080009', '02:00:00:00:00:00'],
  ...['00010203-0405-0607-0809-0A0B0C0D0E0F', '6AB5B300-538D-1014-9FB5-B0684D007B53', '9774d56d682e549c'],
  ...['dead00beef', 'EMULATOR30X1X1X0', 'd41d8cd98f00b204e9800998ecf8427e', 'd41d8cd9-8f00-3204-e980-0998ecf8427e'],
  ...['da39a3ee5e6b4b0d3255bfef95601890afd80709'],
  'E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855',
])('threat 17: rejects %s, a placeholder that many devices send', (hwid) => {
  expect(readHwid(hwid)).toBeUndefined();
});

test.each([
  ...[
    'device-1234',
    '5f27313a5fc898c5',
    '7d3cf2a0-1b6e-4f0e-9d6c-0a1b2c3d4e5f',
    '00:1a:2b:3c:4d:5e',
    '358673013795895',
  ],
  ...[
    'unknown-5f27313a5fc898c5',
    'default-string-7',
    'R58M123456X',
    '12345-6789-abc',
    'nonesuch',
    'ab'.repeat(63) + 'ac',
  ],
  ...['02:00:00:00:00:01', '00000000-0000-0000-0000-000000000001', 'invalid-1', '0123456780'],
])('accepts %s as a device id', (hwid) => {
  expect(readHwid(hwid)).toBe(hwid);
});

test.each(['device-1234\n', '\r\n device-1234 \t'])('white space around the device id %j is trimmed', (hwid) => {
  expect(readHwid(hwid)).toBe('device-1234');
});

test.each(['\ufeffdevice-1234', '\u00a0device-1234', 'device-1234\u3000'])(
  'rejects %j, with white space that not every language trims',
  (hwid) => {
    expect(readHwid(hwid)).toBeUndefined();
  },
);
