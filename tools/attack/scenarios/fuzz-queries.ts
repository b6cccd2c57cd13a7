import * as fc from 'fast-check';
import { NAMES, oddBytes, oddText, READS, WRITES } from './odd-values.ts';
import type { Scenario } from './scenario.ts';

const name = fc.constantFrom(...NAMES);
const read = fc.constantFrom(...READS);

const oddShape = fc.oneof(
  name.chain((of) =>
    fc.constantFrom(
      `${of}[]=x`,
      `${of}=a&${of}=b`,
      `${of}[a][b][c]=1`,
      `${of}[__proto__][x]=1`,
      `__proto__[${of}]=1`,
      `constructor.prototype.${of}=1`,
      `${of}=%`,
      `${of}=%zz`,
      `${of}=%c0%80`,
      of,
      `${of}=1&`.repeat(1500),
      `?${of}=1#x`,
      `${of};a=b`,
    ),
  ),
  fc.tuple(name, oddBytes).map(([of, bytes]) => `${of}=${bytes}`),
  fc.constant('&'.repeat(2000)),
  fc.webQueryParameters(),
);

const methods = ['HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'LINK', 'GET'];

/** Queries and methods that no page sends. */
export const FUZZ_QUERIES: Scenario[] = [
  {
    name: 'puts odd values into queries',
    play({ player, fuzz }) {
      const cheat = player();
      const own = { hwid: cheat.hwid, zone: cheat.zone, os: 'android', advertiser: 'linkvertise' };
      const odd = fc.dictionary(name, oddText, { minKeys: 1, maxKeys: 4 });
      return fuzz(fc.tuple(read, odd), 40, ([path, values]) =>
        cheat.send(`${path}?${new URLSearchParams({ ...own, ...values })}`),
      );
    },
  },
  {
    name: 'gives every value twice',
    async play({ player, tries, expectNothing }) {
      const cheat = player();
      for (const path of READS) {
        for (const twice of ['hwid', 'zone', 'os', 'advertiser', 'step', 'app']) {
          expectNothing(await tries(() => cheat.send(`${path}?${cheat.who()}&${twice}=${cheat.hwid}&${twice}=2`)));
        }
      }
    },
  },
  {
    name: 'writes queries in odd shapes',
    play({ player, fuzz }) {
      const cheat = player();
      return fuzz(fc.tuple(read, oddShape), 30, ([path, shape]) => cheat.send(`${path}?hwid=${cheat.hwid}&${shape}`));
    },
  },
  {
    name: 'asks by other methods',
    play({ player, fuzz }) {
      const cheat = player();
      const path = fc.constantFrom(...READS, ...WRITES, '/key-system-1', '/.well-known/jwks.json');
      return fuzz(fc.tuple(path, fc.constantFrom(...methods)), 30, ([asked, method]) =>
        cheat.send(`${asked}?${cheat.who()}`, { method }),
      );
    },
  },
];
