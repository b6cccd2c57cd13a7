import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Request, Response } from 'express';
import proxyAddress from 'proxy-addr';
import { ipKeyGenerator } from 'express-rate-limit';
import { parseCookie, stringifySetCookie } from 'cookie';
import { deriveSecret } from '#api/foundation/crypto/secrets.ts';
import type { Pseudonyms } from './pseudonyms.ts';

/** Who sends a request: the browser, if it has our cookie, and its network. Visitors do not log in. */
export interface ClientIdentity {
  browser: KnownBrowser | undefined;
  /** The HMACs of the network: today's, which is stored, and yesterday's, which is only looked up. */
  networks: readonly [string, string];
}

interface IdentityDeps {
  cookie: VisitorCookie;
  pseudonyms: Pseudonyms;
  trustedHops: number;
  now: () => number;
}

export type ReadClientIdentity = ReturnType<typeof createReadClientIdentity>;

export function createReadClientIdentity({ cookie, pseudonyms, trustedHops, now }: IdentityDeps) {
  return (req: Request): ClientIdentity => ({
    browser: cookie.read(req.headers.cookie, now()),
    networks: pseudonyms.networks(networkOf(clientAddress(req, trustedHops)), now()),
  });
}

/** An address as some proxies write it: with a port, or in brackets. */
const ADDRESS_WITH_PORT_PATTERN = /^(?:(\d+\.\d+\.\d+\.\d+)|\[(.+)\])(?::\d+)?$/;

/**
 * Finds the visitor's address. Of the addresses in X-Forwarded-For, only those that our own proxies added are believed
 * (threat 33); Express counts them in the same way. The port is removed, because each connection has another one.
 * @returns '' when the connection is gone already
 */
export function clientAddress(req: IncomingMessage, trustedHops: number): string {
  // Undefined, whatever its type says, when the connection is gone.
  const claimed = (proxyAddress(req, (_address, hop) => hop < trustedHops) as string | undefined) ?? '';
  const [, ipv4, ipv6] = ADDRESS_WITH_PORT_PATTERN.exec(claimed) ?? [];
  return ipv4 ?? ipv6 ?? claimed;
}

/** A part of the address space whose requests are counted together. */
export interface Subnet {
  /** As text, for counting; it is not an address. */
  prefix: string;
  /** How many times as much it may ask for as the narrowest one. */
  share: number;
}

/**
 * The holder of an IPv6 /48 has 65 536 /64, and the holder of a /32 as many /48. A carrier's phones, though, are
 * neighbours in them as well, so a wider subnet has a larger share.
 */
const IPV6_48_SHARE = 4;
const IPV6_32_SHARE = 32;

/** The subnets that an address is counted in as that of one subscriber: itself; for IPv6 its /64, its /48 and its /32. */
export function subscribersOf(address: string): readonly Subnet[] {
  const narrowest = { prefix: ipKeyGenerator(address, 64), share: 1 };
  return narrowest.prefix.endsWith('/64')
    ? [
        narrowest,
        { prefix: networkOf(address), share: IPV6_48_SHARE },
        { prefix: subnet32(address), share: IPV6_32_SHARE },
      ]
    : [narrowest];
}

/** The subnets that an address is counted in as a part of its network: that, and for IPv6 its /32. */
export function networksOf(address: string): readonly Subnet[] {
  const network = { prefix: networkOf(address), share: 1 };
  const prefix = subnet32(address);
  return prefix.endsWith('/32') ? [network, { prefix, share: IPV6_32_SHARE / IPV6_48_SHARE }] : [network];
}

function subnet32(address: string): string {
  return ipKeyGenerator(address, 32);
}

/** A /24 for IPv4, a /48 for IPv6: what one household, or one carrier's gateway, usually has. As text for counting. */
export function networkOf(address: string): string {
  const ipv4 = /(\d+\.\d+\.\d+)\.\d+$/.exec(address)?.[1];
  if (ipv4) return ipv4;
  if (!isIPv6(address)) return address;

  // The first three groups; `::` stands for groups of zero.
  const [head = '', tail = ''] = address.split('::');
  const before = head ? head.split(':') : [];
  const after = tail ? tail.split(':') : [];
  const zeros = address.includes('::') ? Array<string>(8 - before.length - after.length).fill('0') : [];
  return [...before, ...zeros, ...after]
    .slice(0, 3)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}

/**
 * Finds the part of the address space that has one holder with the network of an address: its /29 for IPv6, which
 * registries keep for one provider, its /22 for IPv4, which is the most that they have given to one since they ran short.
 */
export function holderOf(address: string): string {
  const [first, second, third] = networkOf(address).split('.');
  return third === undefined
    ? ipKeyGenerator(address, 29)
    : `${String(first)}.${String(second)}.${String(Number(third) & ~3)}/22`;
}

/**
 * With this prefix a browser accepts the cookie only over https (or from localhost), for the whole site and for this
 * host alone.
 */
const COOKIE_NAME = '__Host-v';
const COOKIE_TTL_MS = 30 * 24 * 60 * 60 * 1000;
const COOKIE_ATTRIBUTES = {
  maxAge: COOKIE_TTL_MS / 1000,
  path: '/',
  httpOnly: true,
  secure: true,
  sameSite: 'lax',
} as const;
const COOKIE_PATTERN = /^([A-Za-z0-9_-]{22})\.([0-9a-z]{1,10})\.([A-Za-z0-9_-]{43})$/;

/** A browser that was here before. No step depends on it: browsers inside apps lose their cookies. */
export interface KnownBrowser {
  /** The HMAC under which the browser is stored. */
  hmac: string;
  /**
   * When it got its cookie, in epoch milliseconds. A cookie that is younger than a strike does not show who earned the
   * strike.
   */
  since: number;
}

export type VisitorCookie = ReturnType<typeof createVisitorCookie>;

/** Makes and reads the visitor cookie: a random name for a browser and the time when it was given, both signed. */
export function createVisitorCookie(pepper: string) {
  const secret = deriveSecret(pepper, 'visitor cookie');
  const hmac = (text: string) => createHmac('sha256', secret).update(text).digest('base64url');

  return {
    /** Makes the `Set-Cookie` header, and the HMAC under which the browser is stored. */
    make(at: number): { header: string; hmac: string } {
      const id = randomBytes(16).toString('base64url');
      const named = `${id}.${at.toString(36)}`;
      const value = `${named}.${hmac(`cookie|${named}`)}`;

      return {
        header: stringifySetCookie({ name: COOKIE_NAME, value, ...COOKIE_ATTRIBUTES }),
        hmac: hmac(`browser|${id}`),
      };
    },

    /** Undefined without our cookie, or when it is not signed by us or has expired. */
    read(header: string | undefined, at: number): KnownBrowser | undefined {
      const [, id = '', time = '', signature = ''] =
        COOKIE_PATTERN.exec(parseCookie(header ?? '')[COOKIE_NAME] ?? '') ?? [];
      if (!isSame(signature, hmac(`cookie|${id}.${time}`))) return undefined;

      const since = Number.parseInt(time, 36);
      return since <= at && at - since < COOKIE_TTL_MS ? { hmac: hmac(`browser|${id}`), since } : undefined;
    },
  };
}

function isSame(given: string, right: string): boolean {
  return given.length === right.length && timingSafeEqual(Buffer.from(given), Buffer.from(right));
}

export type EnsureVisitorCookie = ReturnType<typeof createEnsureVisitorCookie>;

/** Sets the visitor cookie when the browser has none. Returns the HMAC under which the browser is stored. */
export function createEnsureVisitorCookie({ cookie, now }: Pick<IdentityDeps, 'cookie' | 'now'>) {
  return ({ browser }: Pick<ClientIdentity, 'browser'>, res: Response): string => {
    if (browser) return browser.hmac;

    const { header, hmac } = cookie.make(now());
    res.append('set-cookie', header);
    return hmac;
  };
}
