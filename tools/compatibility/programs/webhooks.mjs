import { once } from 'node:events';
import { createRequire } from 'node:module';
import { text } from 'node:stream/consumers';
import { verifyWebhook } from '../../../samples/webhooks/verify-webhook.ts';

/**
 * `webhooks.mjs <library> <folder with its node_modules>` reads a message and the secret from its standard input, hands
 * it to the library in the forms in which servers have it, and writes for each what came of it.
 */
const [, , name = '', folder = ''] = process.argv;
const load = createRequire(`${folder}/x.mjs`);

/** @typedef {string | Buffer | object} Body */
/** @typedef {Record<string, string> | Headers} Given */
/** @typedef {{ headers: Record<string, string>, body: unknown }} Received a request in a route of a framework */

/** @type {{ secret: string, headers: Record<string, string>, body: string }} */
const { secret, headers, body } = JSON.parse(await text(process.stdin));

/** @type {Record<string, (body: Body, headers: Given) => unknown>} */
const LIBRARIES = {
  standardwebhooks: (body, headers) => new (load('standardwebhooks').Webhook)(secret).verify(body, headers),
  svix: (body, headers) => new (load('svix').Webhook)(secret).verify(body, headers),
  openai: (body, headers) => new (load('openai').OpenAI)({ apiKey: '-' }).webhooks.unwrap(body, headers, secret),
  replicate: (body, headers) => load('replicate').validateWebhook({ body, headers }, secret),
};

/**
 * Servers whose routes have the body in several ways.
 * @type {Record<string, (check: (headers: Given, body: string) => boolean) => Promise<{ port: number, paths: Record<string, string> }>>}
 */
const FRAMEWORKS = {
  async express(check) {
    const express = load('express');
    /** @type {(read: (body: unknown) => string) => (req: Received, res: { json: (answer: boolean) => void }) => void} */
    const answer = (read) => (req, res) => res.json(check(req.headers, read(req.body)));
    const app = express();
    app.post('/raw', express.raw({ type: '*/*' }), answer(String));
    app.post('/text', express.text({ type: '*/*' }), answer(String));
    app.post('/json', express.json(), answer(JSON.stringify));
    const server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const paths = { '`express.raw`': '/raw', '`express.text`': '/text', '`express.json`, written again': '/json' };
    return { port: server.address().port, paths };
  },
  async fastify(check) {
    const app = load('fastify')();
    app.post('/json', (/** @type {Received} */ { headers, body }) => check(headers, JSON.stringify(body)));
    app.register((/** @type {typeof app} */ raw, /** @type {unknown} */ _, /** @type {() => void} */ done) => {
      raw.removeContentTypeParser('application/json');
      const keep = (/** @type {Received} */ _, /** @type {string} */ body) => Promise.resolve(body);
      raw.addContentTypeParser('application/json', { parseAs: 'string' }, keep);
      raw.post('/text', (/** @type {Received} */ { headers, body }) => check(headers, String(body)));
      done();
    });
    await app.listen({ port: 0, host: '127.0.0.1' });
    const paths = { 'its own parser, written again': '/json', 'a parser `parseAs: string`': '/text' };
    return { port: app.server.address().port, paths };
  },
};

const RealNow = Date.now;
const capitalised = Object.fromEntries(
  Object.entries(headers).map(([name, value]) => [
    name.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase()),
    value,
  ]),
);

/** @type {Record<string, [Body, Given]>} */
const FORMS = {
  text: [body, headers],
  edited: [body.replace('{', '{ '), headers],
  'an hour old': [body, headers],
  'a Buffer': [Buffer.from(body), headers],
  'a parsed body': [JSON.parse(body), headers],
  'a `Headers` object': [body, new Headers(headers)],
  'capitalised names': [body, capitalised],
};

/** @type {Record<string, string>} */
const told = {};
if (name in FRAMEWORKS) {
  const { port, paths } = (await FRAMEWORKS[name]?.((headers, body) =>
    verifyWebhook(secret, /** @type {Record<string, string>} */ (headers), body),
  )) ?? { port: 0, paths: {} };
  const sent = Object.fromEntries(Object.entries(headers).filter(([name]) => /^webhook-|^content-type$/.test(name)));
  for (const [form, path] of Object.entries(paths)) {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers: sent, body });
    told[form] = `ok ${await answer.text()}`;
  }
} else {
  for (const [form, given] of Object.entries(FORMS)) {
    Date.now = () => RealNow() + (form === 'an hour old' ? 3_600_000 : 0);
    try {
      const gave = await LIBRARIES[name]?.(...given);
      told[form] = `ok ${typeof gave === 'object' ? 'the message' : /** @type {string} */ (gave)}`;
    } catch (error) {
      told[form] = error instanceof Error ? error.message : String(error);
    }
  }
}
console.log(JSON.stringify(told));
process.exit();
