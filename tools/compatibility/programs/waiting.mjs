import { createRequire } from 'node:module';

/**
 * `waiting.mjs <library> <folder with its node_modules> <method> <address>` makes a call as the README of the library
 * has it, with its retries switched on and nothing else set. It writes the status and body that its caller gets, or the error.
 */
const [, , name = '', folder = '', method = 'GET', url = ''] = process.argv;
const load = createRequire(`${folder}/x.mjs`);
const headers = { prefer: 'wait=25' };
const json = method === 'POST' ? { key: 'k', hwid: 'device-1234' } : undefined;
const body = json ? JSON.stringify(json) : null;
const init = { method, headers: { ...headers, ...(json && { 'content-type': 'application/json' }) }, body };

/** @type {Record<string, () => Promise<{ status?: number, text: string }>>} */
const LIBRARIES = {
  got: async () => {
    const answer = await load('got').default(url, { method, headers, json });
    return { status: answer.statusCode, text: answer.body };
  },
  ky: () => read(load('ky').default(url, { method, headers, json })),
  ofetch: async () => {
    const answer = await load('ofetch').ofetch.raw(url, { method, headers, body: json });
    return { status: answer.status, text: JSON.stringify(answer._data) };
  },
  'axios-retry'() {
    const client = load('axios').default.create();
    load('axios-retry').default(client, { retries: 3 });
    return readAxios(client);
  },
  'retry-axios'() {
    const client = load('axios').default.create();
    load('retry-axios').attach(client);
    return readAxios(client);
  },
  'fetch-retry': () => read(load('fetch-retry')(fetch)(url, { ...init, retryOn: [429, 503] })),
  superagent: async () => {
    const answer = await load('superagent')(method, url).set(headers).retry(2).send(json);
    return { status: answer.status, text: answer.text };
  },
  async undici() {
    const { Agent, RetryAgent, request } = load('undici');
    const { statusCode, body: stream } = await request(url, { ...init, dispatcher: new RetryAgent(new Agent()) });
    return { status: statusCode, text: await stream.text() };
  },
};

/** @param {Promise<Response>} asked */
async function read(asked) {
  const answer = await asked;
  return { status: answer.status, text: await answer.text() };
}

/** @param {any} client */
async function readAxios(client) {
  const { status, data } = await client.request({ url, method, headers, data: json });
  return { status, text: JSON.stringify(data) };
}

try {
  console.log(JSON.stringify(await LIBRARIES[name]?.()));
} catch (error) {
  const thrown = /** @type {any} */ (error);
  // Where these libraries keep the answer.
  const kept = await Promise.resolve(
    thrown.data ?? thrown.response?.data ?? thrown.response?.text ?? thrown.response?.body,
  ).catch(() => undefined);
  const text = typeof kept === 'string' ? kept : JSON.stringify(kept ?? '');
  console.log(JSON.stringify({ error: `${thrown.name}: ${thrown.message}`, text }));
}
process.exit();
