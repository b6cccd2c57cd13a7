import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** Ten seconds in the world; here three times that, since the machine may be busy with other things. */
export const HASH_LIFETIME_MS = 30_000;
export const LONGEST_LIFETIME_MS = 60_000;
const LINK_ID = 10_345;

export type AdvertiserId = 'linkvertise' | 'workink' | 'lootlabs' | 'rinku';

/** What is unlike other visits. */
export interface Visit {
  /** When it was finished, in milliseconds; now, if it is not said. */
  at?: number;
  /** Whether the proof can be checked again. */
  isKept?: boolean;
  /** Somebody else's link at Work.ink. */
  linkId?: number;
  /** What the advertiser says of the proof instead of yes or no. */
  reply?: string;
  /** LootLabs: the task's name. */
  uniqueId?: string;
  /** LootLabs: how often it calls. */
  calls?: number;
}

/** A finished visit: what was proved, and when. */
interface Proof extends Omit<Visit, 'uniqueId' | 'calls'> {
  advertiser: AdvertiserId;
  /** What the server calls the proof; null where the address itself is the proof. */
  ref: string | null;
  ticketHash: string;
  at: number;
  isGone?: boolean;
}

interface Reply {
  status?: number;
  body: unknown;
}

export type FakeAdvertisers = Awaited<ReturnType<typeof startFakeAdvertisers>>;

/**
 * Every advertiser, in this process and so outside of the server that is attacked: what they have issued
 * survives the server's death, and is the truth that its database is held against.
 * @param now the clock that the server has, too
 * @param callServer how LootLabs reaches a path of the server
 */
export async function startFakeAdvertisers({
  now,
  callServer,
}: {
  now: () => number;
  callServer: (path: string) => Promise<unknown>;
}) {
  const secrets = { token: randomBytes(32).toString('hex'), postback: randomBytes(24).toString('base64url') };
  /** Finished visits by their ticket. */
  const proofs = new Map<string, Proof[]>();
  /** Those of them that can be asked about, by what is asked. */
  const tokens = new Map<string, Proof>();
  const destinations = new Map<string, string>();

  const server = createServer((req, res) => {
    void answer(req, new URL(req.url ?? '', 'http://localhost')).then(({ status = 200, body }) => {
      res.writeHead(status, { 'content-type': typeof body === 'string' ? 'text/plain' : 'application/json' });
      res.end(typeof body === 'string' ? body : JSON.stringify(body));
    });
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const origin = `http://${host}`;

  /** What the server asks, as each advertiser documents it. */
  async function answer(req: IncomingMessage, url: URL): Promise<Reply> {
    const { pathname, searchParams } = url;
    const said = (name: string) => searchParams.get(name) ?? '';
    if (pathname === '/linkvertise/api/v1/anti_bypassing') return { body: checkHash(searchParams) };
    if (pathname === '/workink/_api/v2/override') return { body: { sr: keep(said('destination')) } };
    if (pathname.startsWith('/workink/_api/v2/token/isValid/'))
      return { body: checkToken(lastPartOf(pathname), searchParams) };
    if (pathname === '/lootlabs/api/public/url_encryptor')
      return {
        body: { type: 'fetched', message: keep(((await json(req)) as { destination_url: string }).destination_url) },
      };
    if (pathname === '/rinku/api')
      return {
        body: {
          status: 'success',
          shortenedUrl: `${origin}/rinku/go/${keep(said('url'), said('alias'))}`,
        },
      };
    return { status: 404, body: 'Not found' };
  }

  function keep(destination: string, name = randomBytes(16).toString('hex')): string {
    destinations.set(name, destination);
    return name;
  }

  function checkHash(query: URLSearchParams): string {
    if (query.get('token') !== secrets.token) return 'Invalid token.';
    const proof = tokens.get(query.get('hash') ?? '');
    if (proof?.reply !== undefined) return proof.reply;
    if (!proof || proof.isGone || now() - proof.at >= HASH_LIFETIME_MS) return 'FALSE';

    proof.isGone = proof.isKept !== true;
    return 'TRUE';
  }

  function checkToken(token: string, query: URLSearchParams): unknown {
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
  function resolve(link: string) {
    const { pathname, searchParams } = new URL(link);
    const advertiser = pathname.split('/')[1] as AdvertiserId;
    const returnUrl =
      advertiser === 'linkvertise'
        ? decodeURI(Buffer.from(searchParams.get('r') ?? '', 'base64').toString('utf8'))
        : destinations.get(searchParams.get('sr') ?? searchParams.get('data') ?? lastPartOf(pathname));
    if (returnUrl === undefined) throw new Error(`No advertiser knows ${link}`);

    return { advertiser, returnUrl, ticketHash: ticketHashOf(returnUrl), clickId: searchParams.get('puid') ?? '' };
  }

  function enter(proof: Proof): void {
    proofs.set(proof.ticketHash, [...(proofs.get(proof.ticketHash) ?? []), proof]);
  }

  async function call(clickId: string, uniqueId: string): Promise<void> {
    const query = new URLSearchParams({ click_id: clickId, unique_id: uniqueId, ip: '127.0.0.1' });
    // An advertiser does not care whether anybody listens.
    await callServer(`/api/keysystem/postback/${secrets.postback}?${query}`).catch(() => undefined);
  }

  return {
    resolve,

    /** The proof of a visit by what the server says it was; undefined when there never was one. */
    proofOf: (ticketHash: string, advertiser: string, ref: string | null): Pick<Proof, 'at'> | undefined =>
      proofs
        .get(ticketHash)
        ?.find((proof) => proof.advertiser === advertiser && proof.ref === ref && proof.reply === undefined),

    postbackSecret: secrets.postback,

    /**
     * A visitor finishes, and gets the address that the advertiser sends people back to.
     */
    async finish(
      link: string,
      { at = now(), uniqueId = randomBytes(12).toString('hex'), calls = 1, ...how }: Visit = {},
    ): Promise<string> {
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
      // Rinku's address is the proof.
      if (ref === null) return returnUrl;

      tokens.set(ref, proof);
      return advertiser === 'linkvertise' ? `${returnUrl}?hash=${ref}` : returnUrl.replace('{TOKEN}', ref);
    },

    /** LootLabs calls on its own time. */
    async callLate(link: string, uniqueId: string = randomBytes(12).toString('hex')): Promise<void> {
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
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** What the server keeps of the ticket in a return address. */
function ticketHashOf(returnUrl: string): string {
  const ticket = lastPartOf(new URL(returnUrl.replace('{TOKEN}', 'x')).pathname);
  return createHash('sha256').update(ticket).digest('base64url');
}

function lastPartOf(pathname: string): string {
  return pathname.slice(pathname.lastIndexOf('/') + 1);
}
