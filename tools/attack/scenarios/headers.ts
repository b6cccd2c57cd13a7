import { FOLLOWED, SENT_BACK } from '../players/player.ts';
import type { Scenario } from './scenario.ts';

/** The headers of requests that other sites cause, or that are written by hand. */
export const BEHIND_THE_BACK = [
  { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' },
  { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' },
  { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' },
  { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
  { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
  { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' },
  { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' },
  { ...FOLLOWED, 'sec-purpose': 'prefetch' },
  { ...FOLLOWED, 'sec-purpose': 'prefetch;prerender' },
  { ...FOLLOWED, purpose: 'prefetch' },
  { 'sec-fetch-site': 'none, same-origin', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
  { 'sec-fetch-site': 'SAME-ORIGIN', 'sec-fetch-mode': 'NAVIGATE', 'sec-fetch-dest': 'DOCUMENT' },
  { referer: 'https://evil.example/localhost' },
  { referer: 'http://localhost.evil.example/' },
  { origin: 'https://evil.example' },
  { origin: 'null' },
  {},
];

export const HEADERS: Scenario[] = [
  {
    name: "opens runs behind the visitor's back",
    async play({ player, tries, expect }) {
      const victim = player();
      await victim.passCaptcha();
      for (const headers of BEHIND_THE_BACK) {
        const { link } = await tries(() => victim.clickComplete({ headers }));
        expect(!link, `a request with ${JSON.stringify(headers)} opened a run`);
        await tries(() => victim.send(`/api/keysystemv2?${victim.who()}&os=android`, { method: 'POST', headers }));
      }
      for (const method of ['HEAD', 'OPTIONS', 'PUT'])
        await tries(() => victim.send(`/api/keysystemv2?${victim.who()}&os=android`, { method }));
      expect((await victim.state())?.run === null, "a run was opened behind the visitor's back");
      const { link } = await victim.clickComplete();
      expect(link !== undefined, "the visitor's own step start no longer opens the run");
    },
  },
  {
    name: "uses up a return behind the visitor's back",
    async play({ world, player, openRun, tries, expect, expectStep }) {
      const victim = player();
      const { link } = await openRun(victim);
      await victim.dwell();
      const back = await world.advertisers.finish(link, { isKept: true });
      const looks: [method: string, headers: Record<string, string>][] = [
        ['HEAD', SENT_BACK],
        ['GET', { ...SENT_BACK, 'sec-purpose': 'prefetch' }],
        ['GET', { purpose: 'prefetch' }],
        ['POST', SENT_BACK],
        ['OPTIONS', SENT_BACK],
      ];
      for (const [method, headers] of looks) {
        const { status } = await tries(() => victim.comeBack(back, { method, headers }));
        expect(
          status >= 400 || method === 'OPTIONS',
          `${method} with ${JSON.stringify(headers)} was answered ${status}`,
        );
      }
      await expectStep(victim, 1, 'a look ahead was credited');
      await victim.comeBack(back);
      await expectStep(victim, 2, 'after a look ahead the visitor was not credited');
    },
  },
  {
    name: 'tells the server another method, host or address',
    async play({ world, player, tries, expect }) {
      const cheat = player();
      await cheat.passCaptcha();
      const own = new URL(world.client.baseUrl).host;
      const tricks = [
        { host: 'evil.example' },
        { 'x-forwarded-host': 'evil.example' },
        { forwarded: 'host=evil.example;proto=https' },
        { 'x-forwarded-proto': 'javascript' },
        { 'x-original-url': '/api/key' },
        { 'x-rewrite-url': '/api/key' },
        { 'x-http-method-override': 'POST' },
        { 'x-method-override': 'DELETE' },
        { origin: 'https://evil.example' },
      ];
      for (const trick of tricks) {
        const { location } = await tries(() =>
          cheat.send(`/api/keysystemv2?${cheat.who()}&step=2`, { headers: { ...FOLLOWED, ...trick } }),
        );
        expect(location === undefined || location.startsWith('/'), `${JSON.stringify(trick)} led to ${location}`);
        const started = await tries(() => cheat.clickComplete({ headers: { ...FOLLOWED, ...trick } }));
        expect(
          !started.returnUrl || new URL(started.returnUrl.replace('{TOKEN}', '')).host === own,
          `${JSON.stringify(trick)} made a return to ${started.returnUrl}`,
        );
      }
    },
  },
  {
    name: 'redirects to other sites',
    async play({ player, random, tries, expect, world }) {
      const cheat = player();
      await cheat.passCaptcha();
      const hosts = Object.values(world.advertisers.settings).flatMap(({ hosts: own }) => own);
      for (let times = 0; times < 20; times++) {
        const evil = random.pick([
          'https://evil.example',
          '//evil.example',
          '/\\evil.example',
          'javascript:alert(1)',
          'https:evil.example',
          'evil.example',
          '\t//evil.example',
          'linkvertise@evil.example',
          '%2f%2fevil.example',
          'data:text/html,x',
        ]);
        const query = new URLSearchParams({
          hwid: cheat.hwid,
          zone: cheat.zone,
          os: 'android',
          advertiser: 'linkvertise',
        });
        query.set(random.pick(['advertiser', 'os', 'zone', 'hwid', 'step', 'next', 'return', 'url', 'redirect']), evil);
        const path = random.pick([
          '/api/keysystemv2',
          '/api/saverobux/keysystem',
          '/api/create-payment',
          '/api/keysystem/return/x',
          '/key-system-1',
          '/gate',
        ]);
        const { location } = await tries(() => cheat.send(`${path}?${query}`));
        const target = location === undefined ? undefined : new URL(location, world.client.baseUrl);
        const isOurs = !target || target.host === new URL(world.client.baseUrl).host || hosts.includes(target.host);
        expect(isOurs && !location?.startsWith('//'), `${path}?${query} led to ${location}`);
      }
    },
  },
  {
    name: 'forges cookies',
    async play({ player, random, openRun, tries, expectStep }) {
      const cheat = player();
      await openRun(cheat);
      const cookies = [
        '__Host-v=',
        `__Host-v=${random.base64url(43)}`,
        `__Host-v=${random.base64url(4000)}`,
        '__Host-v=a; __Host-v=b',
        '__Host-v=%00',
        '__Host-v=%',
        '__Host-v="; admin=1"',
        'v=1; step=6; state=completed; admin=true',
        '__proto__=1',
        '='.repeat(500),
        `${'a=b; '.repeat(800)}`,
      ];
      for (const cookie of cookies) {
        await tries(() => cheat.send(`/api/keysystem/state?${cheat.who()}`, { headers: { cookie } }));
        await tries(() =>
          cheat.send(`/api/keysystemv2?${cheat.who()}&step=2&os=android`, { headers: { ...FOLLOWED, cookie } }),
        );
      }
      await expectStep(cheat, 1, 'a forged cookie moved a run');
    },
  },
  {
    name: 'drops its cookie to lose its strikes',
    async play({ player, random, openRun, tries, expect }) {
      const cheat = player();
      await openRun(cheat);
      for (let strikes = 0; strikes < 6; strikes++) {
        cheat.cookies.clear();
        const { returnUrl } = await cheat.clickComplete({ step: 1 });
        if (!returnUrl) break;
        await cheat.dwell();
        await tries(() => cheat.comeBack(`${returnUrl}?hash=${random.hex(64)}`));
      }
      cheat.cookies.clear();
      const { page } = await tries(() => cheat.clickComplete({ step: 1 }));
      expect(
        page?.name === 'bypass',
        `after six bad returns a visitor without a cookie came to ${JSON.stringify(page)}`,
      );
    },
  },
  {
    name: 'claims other addresses to lose its strikes',
    async play({ player, random, openRun, tries, expect }) {
      const cheat = player();
      const own = cheat.address;
      await openRun(cheat);
      for (let strikes = 0; strikes < 6; strikes++) {
        cheat.cookies.clear();
        // Our proxy adds the true address on the right. The text to its left is the visitor's own claim.
        cheat.address = `${random.int(255)}.${random.int(255)}.1.1, ${own}`;
        const { returnUrl } = await cheat.clickComplete({ step: 1 });
        if (!returnUrl) break;
        await cheat.dwell();
        await tries(() => cheat.comeBack(`${returnUrl}?hash=${random.hex(64)}`));
      }
      cheat.address = `203.0.113.9, ${own}`;
      const { page } = await tries(() => cheat.clickComplete({ step: 1 }));
      expect(
        page?.name === 'bypass',
        `after six bad returns a visitor with a claimed address came to ${JSON.stringify(page)}`,
      );
    },
  },
];
