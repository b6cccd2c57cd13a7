import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { solve, tokenOf } from './captcha.mjs';

/** What a browser says of a link that somebody follows within the site, of an address that was sent there, and of a script's call. */
export const FOLLOWED = { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
export const SENT_BACK = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
export const SCRIPTED = { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' };

/** Somebody with a device and a browser, behind a proxy of ours that names their address. */
export function createPlayer(
  world,
  { random, address, app = 'main', os = 'android', hwid = `device-${random.hex(16)}`, zone = `zone-${random.hex(8)}` },
) {
  const cookies = new Map();

  async function send(target, { headers = FOLLOWED, ...init } = {}) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await world.client.ask(target, {
      ...init,
      headers: { 'x-forwarded-for': player.address, ...(cookie && { cookie }), ...headers },
    });
    for (const line of answer.headers['set-cookie'] ?? []) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (name) cookies.set(name, value);
    }
    return answer;
  }

  const post = (path, body) =>
    send(path, {
      method: 'POST',
      headers: { ...SCRIPTED, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const who = () => new URLSearchParams({ hwid, ...(zone && { zone }) });

  const player = {
    hwid,
    zone,
    app,
    os,
    address,
    cookies,
    send,
    post,
    who,

    /** Solves the captcha and gives the token, not handed in yet. */
    async solveCaptcha() {
      const answer = await send(`/api/captcha/challenge?${new URLSearchParams({ hwid, os })}`, { headers: SCRIPTED });
      if (answer.status !== 200)
        throw Object.assign(new Error(`No captcha: ${answer.status} ${answer.text}`), { status: answer.status });
      const challenge = JSON.parse(answer.text);
      world.solved.set(createHash('sha256').update(challenge.parameters.nonce).digest('base64url'), hwid);
      return tokenOf(challenge, solve(challenge));
    },

    /** Gives the reply as it is: `true` is a pass. */
    handIn: (token, { as = hwid, on = os } = {}) =>
      post('/api/v2/verify-captcha', { 'g-recaptcha-response': token, hwid: as, OS: on, advertiser: 'linkvertise' }),

    async passCaptcha() {
      const { status, text } = await player.handIn(await player.solveCaptcha());
      if (text !== 'true') throw new Error(`The captcha was not passed: ${status} ${text}`);
    },

    /** Presses Complete. Gives the advertiser's link, or the page that the server leads to instead. */
    async press({ step, advertiser, run, headers } = {}) {
      const query = who();
      if (app === 'main')
        for (const [name, value] of Object.entries({ advertiser: advertiser ?? 'linkvertise', os }))
          query.set(name, value);
      if (step !== undefined) query.set('step', step);
      for (const choice of [run ?? []].flat()) query.append('run', choice);
      const askedAt = world.now();
      const answer = await send(
        `${app === 'main' ? '/api/keysystemv2' : '/api/saverobux/keysystem'}?${query}`,
        headers && { headers },
      );
      if (answer.status !== 302) return { answer, page: pageOf(answer.location) };

      const { ticketHash, returnUrl } = world.advertisers.resolve(answer.location);
      world.tickets.set(ticketHash, { hwid, app, askedAt });
      return { answer, link: answer.location, returnUrl };
    },

    /** Stays at the advertiser as long as a person has to. */
    dwell: () => wait(world.dwellMs + 5),

    comeBack: (returnUrl, { headers = SENT_BACK, ...init } = {}) => send(returnUrl, { headers, ...init }),

    /** Comes back as a browser does that is told to wait, and gives the page that it ends on. */
    async arrive(returnUrl) {
      const answer = await player.comeBack(returnUrl);
      if (answer.headers.refresh === undefined) return pageOf(answer.location);

      await wait(Number(answer.headers.refresh) * 1000);
      return player.arrive(returnUrl);
    },

    /** One step the honest way, from the button to the page after it. */
    async takeStep({ step, advertiser, how } = {}) {
      const { link, answer } = await player.press({ step, advertiser });
      if (!link)
        throw new Error(
          `No way to an advertiser on step ${step ?? 1}: ${answer.status} ${answer.location ?? answer.text}`,
        );
      await player.dwell();
      return player.arrive(await world.advertisers.finish(link, how));
    },

    async state() {
      const answer = await send(`/api/keysystem/state?${who()}&app=${app}`, { headers: SCRIPTED });
      return answer.status === 200 ? JSON.parse(answer.text) : undefined;
    },

    /** What the app is told. */
    async key() {
      const answer = await send(`/api/key?${who()}&app=${app}`, { headers: {} });
      return answer.status === 200 || answer.status === 403 ? JSON.parse(answer.text) : undefined;
    },
  };
  return player;
}

/** The page of the site that a redirect leads to. */
export function pageOf(location) {
  if (location === undefined) return { name: 'none' };

  const { pathname, searchParams } = new URL(location, 'http://localhost');
  // A run without a zone begins at the gate, and nowhere else.
  const name = pathname === '/gate' ? '1' : (/\/key-system-(\w+)$/.exec(pathname)?.[1] ?? pathname);
  return {
    name: /^\d$/.test(name) ? 'step' : name,
    step: Number(name),
    notice: searchParams.get('e'),
    reason: searchParams.get('r'),
    isWaiting: searchParams.get('wait') === '1',
  };
}
