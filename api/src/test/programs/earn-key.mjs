// `node api/src/test/programs/earn-key.mjs http://localhost:3000` walks the run of the app `sandbox` on a site that `npm start`
// serves, as a browser does, and verifies its key as an app does. It needs what `npm start` has installed, on Node 20 as well.
import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';

const [, , site = ''] = process.argv;
const hwid = `device-${randomUUID()}`;
const who = new URLSearchParams({ app: 'sandbox', hwid, zone: 'zone-1' }).toString();
const FOLLOWED = { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
let cookie = '';

/**
 * Not by `fetch`, which says of itself that it follows no link.
 * @param {string} path
 * @param {{ headers?: Record<string, string>, body?: string }} [init]
 * @returns {Promise<{ text: string, location: string }>}
 */
async function send(path, { headers, body } = {}) {
  const asked = request(new URL(path, site), {
    method: body === undefined ? 'GET' : 'POST',
    headers: { ...FOLLOWED, ...(cookie && { cookie }), ...headers },
  });
  asked.end(body);
  const [answer] = /** @type {[import('node:http').IncomingMessage]} */ (await once(asked, 'response'));
  const { statusCode = 0, headers: told } = answer;
  cookie = told['set-cookie']?.[0]?.split(';')[0] ?? cookie;
  const said = await text(answer);
  if (statusCode >= 400) throw new Error(`${path.split('?')[0]} is answered with ${statusCode}: ${said.slice(0, 300)}`);
  return { text: said, location: told.location ?? '' };
}

await send(`/apps/key-system-1?${who}`);
const challenge = JSON.parse((await send(`/api/captcha/challenge?hwid=${hwid}&os=android`)).text);
const solution = await solveChallenge({ challenge, deriveKey });
const token = Buffer.from(JSON.stringify({ challenge, solution })).toString('base64');
const passed = await send('/api/v2/verify-captcha', {
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ 'g-recaptcha-response': token, hwid, OS: 'android', advertiser: 'sandbox' }),
});
if (passed.text !== 'true') throw new Error('The captcha was not passed');

const visit = await send(`/api/apps/sandbox/keysystem?${who}`);
const advertiser = await send(visit.location);
const [, back = ''] = /<a [^>]*href="([^"]*\/return\/[^"]*)"/.exec(advertiser.text) ?? [];
await send(back.replaceAll('&amp;', '&'), { headers: { 'sec-fetch-site': 'cross-site' } });

const { status, key } = JSON.parse((await send(`/api/key?${who}`)).text);
if (status !== 'active') throw new Error(`The key is ${status}`);
const keys = createRemoteJWKSet(new URL('/.well-known/jwks.json', site));
/** @type {{ payload: { exp: number } }} */
const { payload } = await jwtVerify(key, keys, { algorithms: ['EdDSA'], typ: 'key+jws', audience: 'sandbox' });
process.stdout.write(`A key was earned, valid until ${new Date(payload.exp * 1000).toISOString()}\n`);
