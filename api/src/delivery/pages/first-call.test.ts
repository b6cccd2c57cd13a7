import { expect, test } from 'vitest';
import { fillFirstCall } from './pages.routes.ts';

const CALL = '/api/keysystem/state?hwid={hwid}&app=main&zone={zone?}';

test.each([
  ['?zone=z1&os=ios&hwid=device-1', '/api/keysystem/state?hwid=device-1&app=main&zone=z1'],
  ['?hwid=device-1', '/api/keysystem/state?hwid=device-1&app=main'],
  ['?hwid=device-1&zone=', '/api/keysystem/state?hwid=device-1&app=main'],
])('the call of a page at %s is the one that the page makes', (search, call) => {
  expect(fillFirstCall(CALL, new URLSearchParams(search))).toBe(call);
});

test.each(['', '?zone=z1', '?hwid=', '?hwid=a%3E%0D%0Ab', '?hwid=device-1&zone=%3Cz%3E'])(
  'the page at "%s" preloads no call',
  (search) => {
    expect(fillFirstCall(CALL, new URLSearchParams(search))).toBeUndefined();
  },
);

test('a call without parts of the address is preloaded for every visitor', () => {
  expect(fillFirstCall('/api/downloads', new URLSearchParams('?hwid=device-1'))).toBe('/api/downloads');
});
