import * as fc from 'fast-check';
import { oddBytes } from './odd-values.ts';
import type { Scenario } from './scenario.ts';

const ODD_PATHS = [
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
const oddPath = fc.oneof(
  fc.constantFrom(...ODD_PATHS),
  fc
    .tuple(fc.constantFrom('/', '/api/', '/releases/', '/content/'), fc.oneof(fc.webPath(), oddBytes))
    .map((parts) => parts.join('')),
);

/** Paths and messages that no browser sends. */
export const FUZZ_PATHS: Scenario[] = [
  {
    name: 'asks for odd paths',
    play({ player, fuzz }) {
      const cheat = player();
      return fuzz(oddPath, 25, (path) => cheat.send(`${path}${path.includes('?') ? '&' : '?'}${cheat.who()}`));
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
