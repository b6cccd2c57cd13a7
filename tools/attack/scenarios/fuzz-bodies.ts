import * as fc from 'fast-check';
import { oddText, WRITES } from './odd-values.ts';
import type { Scenario } from './scenario.ts';

const ODD_OBJECTS: unknown[] = [[[[]]], { $gt: '' }, { toString: 1 }, { length: 5 }];
const oddValue = fc.oneof(oddText, fc.jsonValue(), fc.constantFrom(...ODD_OBJECTS));

const member = fc.constantFrom(
  'g-recaptcha-response',
  'hwid',
  'OS',
  'key',
  'email',
  'token',
  'code',
  'advertiser',
  '__proto__',
  'constructor',
);

const FORM = { OS: 'android', 'g-recaptcha-response': 'x', key: 'x', email: 'a@b.example', code: 'x' };

const oddHeaders = fc.constantFrom<Record<string, string>[]>(
  { 'content-type': 'text/plain' },
  { 'content-type': 'application/x-www-form-urlencoded' },
  { 'content-type': 'multipart/form-data; boundary=x' },
  { 'content-type': 'application/json; charset=utf-16' },
  { 'content-type': 'application/json; charset=klingon' },
  { 'content-type': 'application/json', 'content-encoding': 'gzip' },
  { 'content-type': 'application/json', 'content-encoding': 'br' },
  { 'content-type': 'application/json', 'content-encoding': 'zip' },
  { 'content-type': 'application/json', expect: 'something' },
  {},
);

/** Bodies that no page sends. */
export const FUZZ_BODIES: Scenario[] = [
  {
    name: 'sends odd bodies',
    play({ player, fuzz }) {
      const cheat = player();
      const body = fc.oneof(
        fc.tuple(member, oddValue).map(([name, value]) => JSON.stringify({ hwid: cheat.hwid, ...FORM, [name]: value })),
        oddValue.map((value) => JSON.stringify(value)),
        member.map((name) => `{"__proto__":{"${name}":1}}`),
        fc.tuple(fc.json(), fc.nat({ max: 50 })).map(([json, length]) => json.slice(0, length)),
        fc.constantFrom(`{"hwid":"${cheat.hwid}",`, '\u0000', '{"a":'.repeat(3000), `"${'x'.repeat(60_000)}"`),
      );
      const headers = { 'content-type': 'application/json' };
      return fuzz(fc.tuple(fc.constantFrom(...WRITES), body), 30, ([path, text]) =>
        cheat.send(path, { method: 'POST', headers, body: text }),
      );
    },
  },
  {
    name: 'sends bodies under other names',
    play({ player, fuzz }) {
      const cheat = player();
      const body = JSON.stringify({ hwid: cheat.hwid, ...FORM });
      return fuzz(fc.tuple(fc.constantFrom(...WRITES), oddHeaders), 20, ([path, headers]) =>
        cheat.send(path, { method: 'POST', headers, body }),
      );
    },
  },
];
