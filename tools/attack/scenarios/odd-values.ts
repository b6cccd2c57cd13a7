import * as fc from 'fast-check';

/** Values that no page sends. The server may refuse them, but must not break. */
export const ODD = [
  '',
  ' ',
  '0',
  '-1',
  'null',
  'undefined',
  'true',
  '[object Object]',
  '__proto__',
  'constructor',
  '../../../etc/passwd',
  "' or '1'='1",
  '"; drop table run; --',
  '<script>alert(1)</script>',
  '${7*7}',
  '{{7*7}}',
  '\u0000',
  '\r\nset-cookie: a=b',
  '%0d%0aset-cookie:%20a=b',
  'ｄｅｖｉｃｅ-1234',
  'device-1234\u200b',
  '😀'.repeat(40),
  '\ud800',
  'a'.repeat(10_000),
  '1'.repeat(400),
  '1e309',
  'NaN',
];
/** These and others of their kind. */
export const oddText = fc.oneof(fc.constantFrom(...ODD), fc.string({ unit: 'binary', maxLength: 60 }));
/** Bytes that may be no text. */
export const oddBytes = fc
  .uint8Array({ minLength: 1, maxLength: 8 })
  .map((bytes) => [...bytes].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''));

/** Paths for `GET`. */
export const READS = [
  '/api/keysystemv2',
  '/api/saverobux/keysystem',
  '/api/keysystem/state',
  '/api/key',
  '/api/captcha/challenge',
  '/api/create-payment',
  '/api/order-status',
  '/api/payment-return',
  '/api/plan-status',
  '/api/keysystem/return/x',
  '/api/keysystem/postback/x',
];
/** Paths for `POST`. */
export const WRITES = [
  '/api/v2/verify-captcha',
  '/api/key/verify',
  '/api/requestresetdevices',
  '/api/confirmresetdevices',
  '/api/claim-plan',
  '/api/confirm-claim',
  '/api/redeem',
  '/api/order-consent',
  '/api/payment-webhook',
  '/api/latest-purchase',
  '/api/resellers',
  '/api/redeem',
];

export const NAMES = [
  'hwid',
  'zone',
  'os',
  'advertiser',
  'step',
  'app',
  'mode',
  'date',
  'ref',
  'hash',
  'token',
  'click_id',
  'unique_id',
  'e',
  'wait',
];
