import { NAMES, ODD, READS, WRITES } from './odd-values.ts';
import type { Scenario } from './scenario.ts';

/** Queries and methods that no page sends. */
export const FUZZ_QUERIES: Scenario[] = [
  {
    name: 'puts odd values into queries',
    async play({ player, random, tries, expectNothing }) {
      const cheat = player();
      for (let times = 0; times < 40; times++) {
        const query = new URLSearchParams({
          hwid: cheat.hwid,
          zone: cheat.zone,
          os: 'android',
          advertiser: 'linkvertise',
        });
        for (let odd = 0; odd <= random.int(3); odd++) query.set(random.pick(NAMES), random.pick(ODD).toWellFormed());
        expectNothing(await tries(() => cheat.send(`${random.pick(READS)}?${query}`)));
      }
    },
  },
  {
    name: 'gives every value twice',
    async play({ player, tries, expectNothing }) {
      const cheat = player();
      for (const path of READS) {
        for (const name of ['hwid', 'zone', 'os', 'advertiser', 'step', 'app']) {
          expectNothing(await tries(() => cheat.send(`${path}?${cheat.who()}&${name}=${cheat.hwid}&${name}=2`)));
        }
      }
    },
  },
  {
    name: 'writes queries in odd shapes',
    async play({ player, random, tries, expectNothing }) {
      const cheat = player();
      for (let times = 0; times < 30; times++) {
        const name = random.pick(NAMES);
        const shape = random.pick([
          `${name}[]=${cheat.hwid}`,
          `${name}=a&${name}=b`,
          `${name}[a][b][c]=1`,
          `${name}[__proto__][x]=1`,
          `__proto__[${name}]=1`,
          `constructor.prototype.${name}=1`,
          `${name}=%`,
          `${name}=%zz`,
          `${name}=%c0%80`,
          `${name}=%ff%fe`,
          `${name}`,
          '&'.repeat(2000),
          `${`${name}=1&`.repeat(1500)}`,
          `?${name}=1#x`,
          `${name};a=b`,
        ]);
        expectNothing(await tries(() => cheat.send(`${random.pick(READS)}?hwid=${cheat.hwid}&${shape}`)));
      }
    },
  },
  {
    name: 'asks by other methods',
    async play({ player, random, tries, expectNothing }) {
      const cheat = player();
      for (let times = 0; times < 30; times++) {
        const method = random.pick([
          'HEAD',
          'POST',
          'PUT',
          'PATCH',
          'DELETE',
          'OPTIONS',
          'TRACE',
          'PROPFIND',
          'LINK',
          'GET',
        ]);
        expectNothing(
          await tries(() =>
            cheat.send(
              `${random.pick([...READS, ...WRITES, '/key-system-1', '/.well-known/jwks.json'])}?${cheat.who()}`,
              { method },
            ),
          ),
        );
      }
    },
  },
];
