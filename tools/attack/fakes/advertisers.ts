import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/**
 * How long a hash of Linkvertise is valid. The real one is valid for 10 s; this is longer because the machine may be
 * busy.
 */
const HASH_TTL_MS = 30_000;
export const MAX_HASH_TTL_MS = 60_000;
const LINK_ID = 10_345;

export type AdvertiserId = 'linkvertise' | 'workink' | 'lootlabs' | 'rinku';

/** How a visit differs from a normal one. */
export interface Visit {
  /** When the visit was finished, in epoch milliseconds; by default now. */
  at?: number;
  /** Whether the advertiser confirms the proof more than once. */
  isKept?: boolean;
  /** The link at Work.ink, when it is not ours. */
  linkId?: number;
  /** The id of the task at LootLabs. */
  uniqueId?: string;
  /** How many postbacks LootLabs sends. */
  calls?: number;
}

interface Proof extends Omit<Visit, 'uniqueId' | 'calls'> {
  advertiser: AdvertiserId;
  /** The reference of the proof in the server's tables; null when the return address itself is the proof. */
  ref: string | null;
  ticketHash: string;
  at: number;
  isGone?: boolean;
}

interface Reply {
  status?: number;
  body: unknown;
}

/**
 * Starts all fake advertisers in this process, outside of the attacked server. Their proofs survive a crash of the
 * server, and the oracle compares the server's database with them.
 * @param now the clock of the server, in epoch milliseconds
 * @param callServer sends a postback of LootLabs to a path of the server
 */
export async function startFakeAdvertisers({
  now,
  callServer,
}: {
  now: () => number;
  callServer: (path: string) => Promise<unknown>;
}) {
  const secrets = { token: randomBytes(32).toString('hex'), postback: randomBytes(24).toString('base64url') };
  /** The proofs by the hash of their ticket. */
  const proofs = new Map<string, Proof[]>();
  /** The proofs that the server can ask about, by their reference. */
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

  /** Answers the server's calls, as each advertiser documents its API. */
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
    if (!proof || proof.isGone || now() - proof.at >= HASH_TTL_MS) return 'FALSE';

    proof.isGone = proof.isKept !== true;
    return 'TRUE';
  }

  function checkToken(token: string, query: URLSearchParams): unknown {
    const proof = tokens.get(token);
    if (!proof || proof.isGone || now() - proof.at >= MAX_HASH_TTL_MS) return { valid: false, deleted: false };

    const isDeleted = query.get('deleteToken') === '1';
    proof.isGone = isDeleted && !proof.isKept;
    const info = {
      token,
      createdAt: proof.at,
      byIp: '127.0.0.1',
      linkId: proof.linkId ?? LINK_ID,
      expiresAfter: proof.at + MAX_HASH_TTL_MS,
    };
    return { valid: true, deleted: isDeleted, info };
  }

  /** The advertiser and the return address of a link. A real visitor sees the return address only in dynamic links. */
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
    // A real advertiser ignores errors of the receiver, too.
    await callServer(`/api/keysystem/postback/${secrets.postback}?${query}`).catch(() => undefined);
  }

  return {
    resolve,

    /** Finds the proof that the server's tables name; undefined when the advertiser has issued none like it. */
    proofOf: (ticketHash: string, advertiser: string, ref: string | null): Pick<Proof, 'at'> | undefined =>
      proofs.get(ticketHash)?.find((proof) => proof.advertiser === advertiser && proof.ref === ref),

    /** Sends a postback of LootLabs. */
    call,

    /** Finishes a visit. Returns the address to which the advertiser sends the visitor back. */
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
      // For Rinku the return address is the proof.
      if (ref === null) return returnUrl;

      tokens.set(ref, proof);
      return advertiser === 'linkvertise' ? `${returnUrl}?hash=${ref}` : returnUrl.replace('{TOKEN}', ref);
    },

    /** The content of the server's ADVERTISERS_FILE. */
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

/** The hash that the server stores for the ticket in a return address. */
function ticketHashOf(returnUrl: string): string {
  const ticket = lastPartOf(new URL(returnUrl.replace('{TOKEN}', 'x')).pathname);
  return createHash('sha256').update(ticket).digest('base64url');
}

function lastPartOf(pathname: string): string {
  return pathname.slice(pathname.lastIndexOf('/') + 1);
}
