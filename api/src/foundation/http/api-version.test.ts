import type { ApiVersion } from '@app/contracts/api-version';
import express from 'express';
import { expect, test } from 'vitest';
import { listen } from '#api/test/listen.ts';
import { handleError } from './handle-error.ts';
import { apiVersion } from './api-version.ts';

const TWO_VERSIONS: readonly [ApiVersion, ApiVersion] = [
  { version: '5' },
  { version: '4', deprecated: { since: '2027-03-01', until: '2028-03-01' } },
];

/** Asks a server that speaks versions 5 and 4, the latter until it ends. */
async function ask(version?: string): Promise<Response> {
  const app = express()
    .use(apiVersion(TWO_VERSIONS))
    .use((_req, res) => void res.json({}))
    .use(handleError(() => undefined));
  return fetch(await listen(app), version === undefined ? {} : { headers: { 'api-version': version } });
}

const end = ({ headers }: Response) => ['deprecation', 'sunset', 'link'].map((name) => headers.get(name));

test('a client gets the requested version, the current as well as the previous one', async () => {
  for (const version of ['4', '5']) {
    const answer = await ask(version);
    expect([answer.status, answer.headers.get('api-version')]).toEqual([200, version]);
  }
});

test('only responses of a deprecated version have its deprecation and sunset dates', async () => {
  expect(end(await ask('4'))).toEqual([
    '@1803859200',
    'Wed, 01 Mar 2028 00:00:00 GMT',
    '</developers>; rel="deprecation"; type="text/html"',
  ]);
  expect(end(await ask('5'))).toEqual([null, null, null]);
});

test('a client without a requested version gets the previous one', async () => {
  const answer = await ask();

  expect([answer.status, answer.headers.get('api-version')]).toEqual([200, '4']);
  expect(end(answer)[0]).toBe('@1803859200');
});

test('a client that sends its version header twice gets that version', async () => {
  for (const said of ['4, 4', '4,4,4']) expect((await ask(said)).headers.get('api-version')).toBe('4');
});

test.each(['6', '3', '', '4, 5', '5, ', '05', 'toString'])(
  'rejects the version “%s” and lists the supported ones',
  async (version) => {
    const refused = await ask(version);

    expect([refused.status, refused.headers.get('api-version')]).toEqual([400, '5']);
    expect(await refused.json()).toMatchObject({
      code: 'request.version',
      retryable: false,
      detail: 'This server speaks version 5 and 4.',
      supported: ['5', '4'],
    });
    expect(end(refused)).toEqual([null, null, null]);
  },
);
