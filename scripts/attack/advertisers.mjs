import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';

/** Ten seconds in the world; here three times that, since the machine may be busy with other things. */
export const HASH_LIFETIME_MS = 30_000;
export const LONGEST_LIFETIME_MS = 60_000;
const LINK_ID = 10_345;

/**
 * Every advertiser, in this process and so outside of the server that is attacked: what they have issued
 * survives the server's death, and is the truth that its database is judged by.
 * @param now the clock that the server has, too
 * @param callServer how LootLabs reaches a path of the server
 */
export async function startAdvertisers({ now, callServer }) {
  const secrets = { token: randomBytes(32).toString('hex'), postback: randomBytes(24).toString('base64url') };
  /** Finished visits by their ticket: what was proved, and when. */
  const proofs = new Map();
  /** Those of them that can be asked about, by what is asked. */
  const tokens = new Map();
  const destinations = new Map();

  const server = createServer((req, res) => {
    void answer(req, new URL(req.url, 'http://localhost')).then(({ status = 200, body }) => {
      res.writeHead(status, { 'content-type': typeof body === 'string' ? 'text/plain' : 'application/json' });
      res.end(typeof body === 'string' ? body : JSON.stringify(body));
    });
  });
  server.keepAliveTimeout = 60_000;
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${server.address().port}`;
  const origin = `http://${host}`;

  /** What the server asks, as each advertiser documents it. */
  async function answer(req, url) {
    const { pathname, searchParams } = url;
    if (pathname === '/linkvertise/api/v1/anti_bypassing') return { body: checkHash(searchParams) };
    if (pathname === '/workink/_api/v2/override') return { body: { sr: keep(searchParams.get('destination')) } };
    if (pathname.startsWith('/workink/_api/v2/token/isValid/'))
      return { body: checkToken(pathname.split('/').at(-1), searchParams) };
    if (pathname === '/lootlabs/api/public/url_encryptor')
      return { body: { type: 'fetched', message: keep((await json(req)).destination_url) } };
    if (pathname === '/rinku/api')
      return {
        body: {
          status: 'success',
          shortenedUrl: `${origin}/rinku/go/${keep(searchParams.get('url'), searchParams.get('alias'))}`,
        },
      };
    return { status: 404, body: 'Not found' };
  }

  function keep(destination, name = randomBytes(16).toString('hex')) {
    destinations.set(name, destination);
    return name;
  }

  function checkHash(query) {
    if (query.get('token') !== secrets.token) return 'Invalid token.';
    const proof = tokens.get(query.get('hash'));
    if (proof?.reply !== undefined) return proof.reply;
    if (!proof || proof.isGone || now() - proof.at >= HASH_LIFETIME_MS) return 'FALSE';

    proof.isGone = !proof.isKept;
    return 'TRUE';
  }

  function checkToken(token, query) {
    const proof = tokens.get(token);
    if (proof?.reply !== undefined) return proof.reply;
    if (!proof || proof.isGone || now() - proof.at >= LONGEST_LIFETIME_MS) return { valid: false, deleted: false };

    const isDeleted = query.get('deleteToken') === '1';
    proof.isGone = isDeleted && !proof.isKept;
    const info = {
      token,
      createdAt: proof.at,
      byIp: '127.0.0.1',
      linkId: proof.linkId ?? LINK_ID,
      expiresAfter: proof.at + LONGEST_LIFETIME_MS,
    };
    return { valid: true, deleted: isDeleted, info };
  }

  /** Who a link belongs to and where it leads in the end, which a visitor can see of a dynamic link only. */
  function resolve(link) {
    const { pathname, searchParams } = new URL(link);
    const advertiser = pathname.split('/')[1];
    const returnUrl =
      advertiser === 'linkvertise'
        ? decodeURI(Buffer.from(searchParams.get('r'), 'base64').toString('utf8'))
        : destinations.get(searchParams.get('sr') ?? searchParams.get('data') ?? pathname.split('/').at(-1));
    if (returnUrl === undefined) throw new Error(`No advertiser knows ${link}`);

    return { advertiser, returnUrl, ticketHash: ticketHashOf(returnUrl), clickId: searchParams.get('puid') };
  }

  function enter(proof) {
    proofs.set(proof.ticketHash, [...(proofs.get(proof.ticketHash) ?? []), proof]);
  }

  async function call(clickId, uniqueId) {
    const query = new URLSearchParams({ click_id: clickId, unique_id: uniqueId, ip: '127.0.0.1' });
    // An advertiser does not care whether anybody listens.
    await callServer(`/api/keysystem/postback/${secrets.postback}?${query}`).catch(() => undefined);
  }

  return {
    resolve,

    /** The proof of a visit by what the server says it was; undefined when there never was one. */
    proofOf: (ticketHash, advertiser, ref) =>
      proofs
        .get(ticketHash)
        ?.find((proof) => proof.advertiser === advertiser && proof.ref === ref && proof.reply === undefined),

    postbackSecret: secrets.postback,

    /**
     * A visitor finishes, and gets the address that the advertiser sends people back to.
     * @param how what is unlike other visits: `at` (when it was finished), `isKept` (the proof can be checked again),
     *   `linkId` (somebody else's link), `reply` (what the advertiser says of the proof instead of yes or no),
     *   `uniqueId` and `calls` (LootLabs: the task's name, how often it calls)
     */
    async finish(link, { at = now(), uniqueId = randomBytes(12).toString('hex'), calls = 1, ...how } = {}) {
      const { advertiser, returnUrl, ticketHash, clickId } = resolve(link);
      const ref = {
        linkvertise: () => randomBytes(32).toString('hex'),
        workink: randomUUID,
        lootlabs: () => uniqueId,
        rinku: () => null,
      }[advertiser]();
      const proof = { advertiser, ref, ticketHash, at, ...how };
      if (advertiser === 'lootlabs') {
        if (calls > 0) enter(proof);
        for (let calling = 0; calling < calls; calling++) await call(clickId, uniqueId);
        return returnUrl;
      }

      enter(proof);
      tokens.set(ref, proof);
      if (advertiser === 'linkvertise') return `${returnUrl}?hash=${ref}`;
      return returnUrl.replace('{TOKEN}', ref);
    },

    /** LootLabs calls on its own time. */
    async callLate(link, uniqueId = randomBytes(12).toString('hex')) {
      const { ticketHash, clickId } = resolve(link);
      enter({ advertiser: 'lootlabs', ref: uniqueId, ticketHash, at: now() });
      return call(clickId, uniqueId);
    },

    /** The accounts as the server's settings name them. */
    settings: {
      linkvertise: {
        hosts: [host],
        apiBase: `${origin}/linkvertise`,
        linkBase: `${origin}/linkvertise`,
        userId: '1',
        token: secrets.token,
      },
      workink: { hosts: [host], apiBase: `${origin}/workink`, link: `${origin}/workink/link`, linkIds: [LINK_ID] },
      lootlabs: {
        hosts: [host],
        apiBase: `${origin}/lootlabs`,
        link: `${origin}/lootlabs/s?attack`,
        token: secrets.token,
        postbackSecret: secrets.postback,
      },
      rinku: { hosts: [host], apiBase: `${origin}/rinku`, apiKey: secrets.token },
    },

    stop() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

/** What the server keeps of the ticket in a return address. */
export function ticketHashOf(returnUrl) {
  const ticket = new URL(returnUrl.replace('{TOKEN}', 'x')).pathname.split('/').at(-1);
  return createHash('sha256').update(ticket).digest('base64url');
}
