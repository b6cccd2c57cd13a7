import { ODD, WRITES } from './odd-values.ts';
import type { Scenario } from './scenario.ts';

/** Bodies that no page sends. */
export const FUZZ_BODIES: Scenario[] = [
  {
    name: 'sends odd bodies',
    async play({ player, random, tries, expectNothing }) {
      const cheat = player();
      for (let times = 0; times < 30; times++) {
        const member = random.pick([
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
        ]);
        const value = random.pick<unknown>([
          ...ODD,
          null,
          0,
          -1,
          1e308,
          true,
          [],
          {},
          [[[]]],
          { $gt: '' },
          { toString: 1 },
          { length: 5 },
        ]);
        const body = random.pick([
          JSON.stringify({
            hwid: cheat.hwid,
            OS: 'android',
            'g-recaptcha-response': 'x',
            key: 'x',
            email: 'a@b.example',
            code: 'x',
            [member]: value,
          }),
          JSON.stringify(value),
          `{"__proto__":{"${member}":1}}`,
          `{"hwid":"${cheat.hwid}",`,
          '[',
          '\u0000',
          '{"a":'.repeat(3000),
          `"${'x'.repeat(60_000)}"`,
          '',
        ]);
        expectNothing(
          await tries(() =>
            cheat.send(random.pick(WRITES), { method: 'POST', headers: { 'content-type': 'application/json' }, body }),
          ),
        );
      }
    },
  },
  {
    name: 'sends bodies under other names',
    async play({ player, random, tries, expectNothing }) {
      const cheat = player();
      const body = JSON.stringify({ hwid: cheat.hwid, OS: 'android', 'g-recaptcha-response': 'x', key: 'x' });
      for (let times = 0; times < 20; times++) {
        const headers = random.pick([
          { 'content-type': 'text/plain' },
          { 'content-type': 'application/x-www-form-urlencoded' },
          { 'content-type': 'multipart/form-data; boundary=x' },
          { 'content-type': 'application/json; charset=utf-16' },
          { 'content-type': 'application/json; charset=klingon' },
          { 'content-type': 'application/json', 'content-encoding': 'gzip' },
          { 'content-type': 'application/json', 'content-encoding': 'br' },
          { 'content-type': 'application/json', 'content-encoding': 'zip' },
          { 'content-type': 'application/json', 'content-length': String(body.length), expect: 'something' },
          {},
        ]);
        expectNothing(await tries(() => cheat.send(random.pick(WRITES), { method: 'POST', headers, body })));
      }
    },
  },
];
