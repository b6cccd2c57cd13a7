import express from 'express';
import { expect, test } from 'vitest';
import { listen } from '#api/test/listen.ts';
import { handleError, handleParseError } from './handle-error.ts';

test.each([
  { status: 400, told: 400, text: 'Unreadable' },
  { status: 499, told: 400, text: 'Unreadable' },
  { status: 302, told: 500, text: undefined },
  { status: 500, told: 500, text: undefined },
])('answers an error with the status $status with $told', async ({ status, told, text }) => {
  const failing = express.Router().use(() => {
    throw Object.assign(new Error('Thrown by a parser'), { status });
  });
  const origin = await listen(
    express()
      .use('/plain', failing, handleParseError('Unreadable'))
      .use(failing)
      .use(handleError(() => undefined)),
  );

  expect((await fetch(origin)).status).toBe(told);
  const plain = await fetch(`${origin}/plain`);
  expect(plain.status).toBe(told);
  if (text !== undefined) expect(await plain.text()).toBe(text);
  else expect(await plain.text()).not.toContain('Unreadable');
});

/** A server whose answer is begun with headers, and then fails. */
const failWith = (thrown: object) =>
  listen(
    express()
      .use((_req, res) => {
        res.set({
          'cache-control': 'public, max-age=86400',
          'x-accel-expires': '10',
          etag: '"a"',
          'content-encoding': 'br',
        });
        throw Object.assign(new Error('Thrown on the way'), thrown);
      })
      .use(handleError(() => undefined)),
  );

test.each([{ status: 404 }, { status: 412 }, { status: 416 }, { status: 500 }])(
  'an error response with $status has no headers of the failed response, and is not cached',
  async (thrown) => {
    const { headers } = await fetch(await failWith(thrown));

    expect(headers.get('cache-control')).toBe('no-store');
    for (const name of ['x-accel-expires', 'content-encoding']) expect(headers.has(name), name).toBe(false);
    expect(headers.get('etag')).not.toBe('"a"');
  },
);

test('an error for a federation manifest is not JSON, so that a host does not cache it as the manifest', async () => {
  const origin = await failWith({ status: 404 });
  const { status, headers } = await fetch(`${origin}/releases/key-system/1.0.0/mf-manifest.json`);

  expect([status, headers.get('content-type')]).toEqual([400, 'text/plain; charset=utf-8']);
  expect((await fetch(`${origin}/releases/other.json`)).headers.get('content-type')).toMatch(/^application\/problem/);
});

test('an unsatisfiable or failed-precondition file request is rejected with the sender’s headers, without a body', async () => {
  const sent = await fetch(await failWith({ status: 416, headers: { 'Content-Range': 'bytes */7' } }));

  expect([sent.status, sent.headers.get('content-range'), await sent.text()]).toEqual([416, 'bytes */7', '']);
  expect((await fetch(await failWith({ status: 412 }))).status).toBe(412);
});
