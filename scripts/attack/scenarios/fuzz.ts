import type { Scenario } from './scenario.ts';

/** What nobody means: it may be refused in any way but by breaking. */
const ODD = [
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

const READS = [
  '/api/keysystemv2',
  '/api/saverobux/keysystem',
  '/api/keysystem/state',
  '/api/key',
  '/api/captcha/challenge',
  '/api/create-payment',
  '/api/keysystem/return/x',
  '/api/keysystem/postback/x',
];
const WRITES = [
  '/api/v2/verify-captcha',
  '/api/key/verify',
  '/api/requestresetdevices',
  '/api/confirmresetdevices',
  '/api/latest-purchase',
  '/api/resellers',
];
const NAMES = [
  'hwid',
  'zone',
  'os',
  'advertiser',
  'step',
  'app',
  'mode',
  'date',
  'hash',
  'token',
  'click_id',
  'unique_id',
  'e',
  'wait',
];

/** Asking in ways that no page does. The server has to stay up, answer below 500 and give nothing away. */
export const FUZZ: Scenario[] = [
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
  {
    name: 'asks for odd paths',
    async play({ player, random, tries, expectNothing }) {
      const cheat = player();
      const paths = [
        '/%',
        '/%zz',
        '/%c0%ae%c0%ae/',
        '//evil.example/',
        '/\\evil.example',
        '/api//key',
        '/API/KEY',
        '/api/key/',
        '/api/key/../../etc',
        '/api/%6bey',
        '/api/keysystem/return/',
        '/api/keysystem/return/%00',
        '/api/keysystem/return/a%2fb',
        '/releases/../package.json',
        '/releases/%2e%2e/%2e%2e/package.json',
        '/content/..%2f..%2fsecrets',
        '/dev/advertiser',
        '/dev/advertiser/linkvertise/finish?r=aHR0cDovL2V2aWwuZXhhbXBsZQ==',
        '/dev/pay',
        '/.env',
        '/var/app.sqlite',
        `/${'a/'.repeat(2000)}`,
        '/key-system-1/..;/api/key',
        '/key-system-999',
        '/healthz/x',
        '/.well-known/../api/key',
        '/*',
        "/'",
      ];
      for (let times = 0; times < 25; times++) {
        const path = random.pick(paths);
        const answer = await tries(() => cheat.send(`${path}${path.includes('?') ? '&' : '?'}${cheat.who()}`));
        expectNothing(answer);
      }
    },
  },
  {
    name: "asks for the server's own code",
    async play({ world, player, random, tries, expect }) {
      const cheat = player();
      const { text: page } = await cheat.send('/');
      const script = /\/releases\/[^"]+\.js/.exec(page)?.[0] ?? '';
      expect((await world.client.ask(script)).status === 200, `${script}, which the page names, is not served`);
      const release = script.split('/').slice(0, 4).join('/');

      const paths = [
        '/releases/api/main.js',
        '/releases/api/ops.js',
        '/releases/api/checkpoint.js',
        '/releases/api/.inputs',
        '/releases/shell/.inputs',
        `${release}/release.json`,
        `${script}.map`,
        `${script}.br`,
        `${release}/../../api/main.js`,
        `${release}/..%2f..%2fapi%2fmain.js`,
        `${release}/%2e%2e/%2e%2e/api/main.js`,
        '/releases//api/main.js',
        '/releases/%61pi/main.js',
        '/releases/shell/../api/main.js',
        '/releases/.one-bundle/x',
        '/releases/../package.json',
      ];
      for (const path of random.shuffle(paths)) {
        const answer = await tries(() => world.client.ask(path));
        expect(
          answer.status === 404 && !answer.text.includes('import '),
          `${path} was answered ${answer.status} ${answer.text.slice(0, 60)}`,
        );
      }
    },
  },
  {
    name: 'speaks broken HTTP',
    async play({ world, player, tries, expect }) {
      const cheat = player();
      const path = `/api/key?${cheat.who()}`;
      const messages = [
        `GET ${path} HTTP/1.1\r\n\r\n`,
        `GET ${path} HTTP/9.9\r\nHost: localhost\r\n\r\n`,
        `GET  ${path}\r\n\r\n`,
        `GET ${path} HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\nConnection: close\r\n\r\n`,
        `POST /api/key/verify HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /healthz HTTP/1.1\r\n\r\n`,
        `POST /api/key/verify HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n`,
        `POST /api/key/verify HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nContent-Type: application/json\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`,
        `GET ${path} HTTP/1.1\r\nHost: localhost\r\nX: ${'a'.repeat(40_000)}\r\n\r\n`,
        `GET /${'a'.repeat(40_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
        `GET ${path} HTTP/1.1\r\nHost: localhost\r\nA\r\n\r\n`,
        '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc',
        'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
      ];
      await tries(() => Promise.all(messages.map((message) => world.client.askRaw(message))), messages.length);
      expect((await cheat.key())?.status === 'none', 'after broken HTTP the server does not answer as before');
    },
  },
];
