import { beforeEach, expect, test, vi } from 'vitest';
import * as v from 'valibot';
import { keepResponse } from './preloaded-responses.ts';
import { ApiError, callApi, fetchJson, postJson } from './api.ts';

const NOW = 1_800_000_000_000;

beforeEach(() => void vi.useFakeTimers({ now: NOW }));

function answer(response: Response) {
  vi.stubGlobal('fetch', () => Promise.resolve(response));
}

function problem(more: object, headers: Record<string, string> = {}): Response {
  const body = {
    type: '/errors#RST_LIMIT',
    title: 'Too soon',
    status: 429,
    code: 'RST_LIMIT',
    retryable: true,
    ref: 'r',
  };
  return Response.json({ ...body, ...more }, { status: 429, headers });
}

async function failure(): Promise<ApiError> {
  const error: unknown = await fetchJson('/api/x').catch((thrown: unknown) => thrown);
  if (error instanceof ApiError) return error;
  throw new Error('The call did not fail as it should');
}

test('an answer without content is undefined', async () => {
  answer(new Response(null, { status: 204 }));
  expect(await fetchJson('/api/x')).toBeUndefined();
});

test('the end of a rate limit is converted to the clock of this device', async () => {
  const anHour = 3_600_000;
  answer(problem({ until: NOW + 5 * anHour, now: NOW + 4 * anHour }));
  expect((await failure()).retryAt).toBe(NOW + anHour);
});

test('the Retry-After header takes precedence over the body, and an error without a time has no end', async () => {
  answer(problem({ until: NOW + 5000, now: NOW }, { 'retry-after': '2' }));
  expect((await failure()).retryAt).toBe(NOW + 2000);

  answer(problem({ now: NOW }));
  expect((await failure()).retryAt).toBeUndefined();
});

test('an answer that does not match its schema is an error, and unknown fields are dropped', async () => {
  const schema = v.object({ step: v.number() });
  answer(Response.json({ step: 2, more: 'x' }));
  expect(await callApi(schema, '/api/x')).toEqual({ step: 2 });

  answer(Response.json({ step: 'two' }));
  await expect(callApi(schema, '/api/x')).rejects.toThrow(TypeError);
});

test('the preloaded response serves the first call, and later calls send requests', async () => {
  answer(Response.json('later'));
  keepResponse('/api/x', Promise.resolve('ahead'));

  expect(await callApi(v.string(), '/api/x')).toBe('ahead');
  expect(await callApi(v.string(), '/api/x')).toBe('later');
});

test('sends a request for a POST, for another path, and after the response was dropped', async () => {
  answer(Response.json('asked'));
  const drop = keepResponse('/api/x', Promise.resolve('ahead'));
  expect(await fetchJson('/api/x', postJson({}))).toBe('asked');

  answer(Response.json('asked'));
  expect(await fetchJson('/api/y')).toBe('asked');

  answer(Response.json('asked'));
  drop();
  expect(await fetchJson('/api/x')).toBe('asked');
});

test('a failed preload fails as the call would have', async () => {
  keepResponse('/api/x', Promise.reject(new ApiError('RST_LIMIT', 'Too soon', true)));
  await expect(fetchJson('/api/x')).rejects.toThrow('Too soon');
});

test('a failed preload that no call uses is ignored', async () => {
  answer(Response.json('asked'));
  // Vitest fails on an unhandled rejection.
  keepResponse('/api/x', Promise.reject(new Error('Away')))();
  expect(await fetchJson('/api/x')).toBe('asked');
});
