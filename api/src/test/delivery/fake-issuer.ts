import { createHmac, generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SignJWT } from 'jose';
import { onTestFinished } from 'vitest';

const KID = 'key-1';

interface Signed {
  /** Claims that differ from those of a push to `main` of `org/tools`. */
  claims?: Record<string, unknown>;
  key?: KeyObject;
  alg?: string;
  kid?: string;
}

/** Starts an issuer of ID tokens, which speaks OpenID Connect as the one of GitHub does, until it is told to misbehave. */
export async function startFakeIssuer(audience: string, now: () => number = Date.now) {
  const keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const asked: string[] = [];
  const answers = new Map<string, RequestListener>();
  const server = createServer((req, res) => {
    const path = req.url ?? '';
    asked.push(path);
    const answer = answers.get(path);
    if (answer) answer(req, res);
    else res.writeHead(404).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const issuer = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  const say =
    (body: unknown): RequestListener =>
    (_req, res) =>
      res.end(JSON.stringify(body));
  const jwk = (key: KeyObject, kid = KID) => ({ ...key.export({ format: 'jwk' }), kid, alg: 'RS256', use: 'sig' });
  answers.set('/.well-known/openid-configuration', say({ issuer, jwks_uri: `${issuer}/jwks` }));
  answers.set('/jwks', say({ keys: [jwk(keys.publicKey)] }));

  const payload = (claims: Record<string, unknown> = {}) => {
    const iat = Math.floor(now() / 1000);
    return {
      iss: issuer,
      aud: audience,
      sub: 'repo:org/tools:ref:refs/heads/main',
      iat,
      nbf: iat,
      exp: iat + 300,
      jti: randomUUID(),
      repository: 'org/tools',
      repository_id: '456789',
      repository_owner_id: '1234',
      ref: 'refs/heads/main',
      event_name: 'push',
      run_id: '4711',
      sha: '0a1b2c3d4e5f0a1b2c3d4e5f0a1b2c3d4e5f0a1b',
      ...claims,
    };
  };
  const part = (data: object) => Buffer.from(JSON.stringify(data)).toString('base64url');

  return {
    issuer,
    asked,
    keySet: { keys: [jwk(keys.publicKey)] },
    /** Replaces its keys by a new one. @returns how to sign with it */
    rotate: (): Signed => {
      const next = generateKeyPairSync('rsa', { modulusLength: 2048 });
      answers.set('/jwks', say({ keys: [jwk(next.publicKey, 'key-2')] }));
      return { key: next.privateKey, kid: 'key-2' };
    },
    /** Answers a path in another way. */
    answer: (path: string, listener: object) =>
      void answers.set(path, typeof listener === 'function' ? (listener as RequestListener) : say(listener)),
    sign: ({ claims, key = keys.privateKey, alg = 'RS256', kid = KID }: Signed = {}) =>
      new SignJWT(payload(claims)).setProtectedHeader({ alg, kid, typ: 'JWT' }).sign(key),
    signNot: () => `${part({ alg: 'none', typ: 'JWT' })}.${part(payload())}.`,
    /** A token with the public key as the secret of an HMAC. */
    signWithPublicKey: () => {
      const text = `${part({ alg: 'HS256', kid: KID, typ: 'JWT' })}.${part(payload())}`;
      const secret = keys.publicKey.export({ format: 'pem', type: 'spki' });
      return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
    },
  };
}
