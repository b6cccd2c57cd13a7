import { Router, type Response } from 'express';
import { expect, test } from 'vitest';
import { createLog, currentRequestId } from '#api/foundation/telemetry/log.ts';
import { createTestApi } from '#api/test/create-test-api.ts';
import { jsonBody } from './json-body.ts';

const ID = '0123456789abcdef0123456789abcdef';
const UUID = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';

async function askWith(given: string, trustedHops: number): Promise<string> {
  const api = await createTestApi({ trustedHops });
  const answer = await api.ask('/api/none', { headers: { 'x-request-id': given } });
  return ((await answer.json()) as { ref: string }).ref;
}

test.each([ID, UUID])('behind a configured proxy a request has the id set by the proxy: %s', async (given) => {
  expect(await askWith(given, 1)).toBe(given);
});

test('threat 47: without a configured proxy no client can choose the request id', async () => {
  expect(await askWith(ID, 0)).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
});

test.each([
  `${ID}*/ drop table run; --`,
  `${ID} `.padEnd(40, 'x'),
  `${ID}, ${ID}`,
  `${ID.slice(1)}g`,
  ID.slice(1),
  `${ID}0`,
  'device-1234',
  '%2a%2f',
  UUID.replaceAll('-', '_'),
])('threat 47: a malformed request id is replaced: %s', async (given) => {
  const ref = await askWith(given, 1);

  expect(ref).not.toContain(given.slice(0, 12));
  expect(ref).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
});

test('each log line has the id of its request, also after its body and with concurrent requests', async () => {
  const lines: string[] = [];
  const log = createLog({ write: (line: string) => void lines.push(line) });
  const waiting: Response[] = [];
  const talking = Router().post('/talk', jsonBody, async (req, res) => {
    await new Promise<void>((resolve) => {
      waiting.push(res);
      // The first request goes on when the second has come: each is then in the middle of the other.
      if (waiting.length === 2) for (const one of waiting) one.emit('go on');
      else res.once('go on', resolve);
      if (waiting.length === 2) resolve();
    });
    log.info({ about: (req.body as { id: string }).id }, 'talk');
    res.end();
  });
  const api = await createTestApi({ trustedHops: 1, files: [talking], log });
  const ids = [ID, UUID];

  await Promise.all(
    ids.map((id) =>
      api.ask('/talk', {
        method: 'POST',
        headers: { 'x-request-id': id, 'content-type': 'application/json' },
        body: JSON.stringify({ id }),
      }),
    ),
  );

  const said = lines.map((line) => JSON.parse(line) as { msg: string; about?: string; requestId?: string });
  const talks = said.filter(({ msg }) => msg === 'talk');
  expect(talks).toHaveLength(2);
  for (const { about, requestId } of talks) expect(requestId).toBe(about);
  expect(new Set(said.filter(({ msg }) => msg === 'request').map(({ requestId }) => requestId))).toEqual(new Set(ids));
  log.info('outside a request');
  expect(lines.at(-1)).not.toContain('requestId');
  expect(currentRequestId()).toBeUndefined();
});
