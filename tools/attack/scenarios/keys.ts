import { createHash, createHmac, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import type { JWK } from 'jose';
import type { Player } from '../players/player.ts';
import type { Attack, Scenario } from './scenario.ts';

/** The parts of a real key, from which a scenario makes forgeries. */
interface Original {
  parts: [header: string, payload: string, signature: string];
  header: { kid: string };
  claims: { exp: number };
  jwk: JWK;
  cheat: Player;
}

const decode = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString()) as unknown;
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Attempts with keys that the server never signed, or signed for another device. All are made from a real key. */
export const KEYS: Scenario[] = [
  {
    name: 'shows keys without a signature (alg none)',
    play: (attack) =>
      forge(attack, ({ header, claims, parts }) =>
        ['none', 'None', 'NONE', '', null, 'EdDSA'].flatMap((alg) => [
          `${encode({ ...header, alg })}.${encode(claims)}.`,
          `${encode({ ...header, alg })}.${parts[1]}`,
        ]),
      ),
  },
  {
    name: 'shows keys signed with the public key (HS256)',
    play: (attack) =>
      forge(attack, ({ header, claims, jwk }) => {
        const { x = '' } = jwk;
        const pem = createPublicKey({ key: jwk, format: 'jwk' }).export({ type: 'spki', format: 'pem' });
        return [Buffer.from(x, 'base64url'), x, JSON.stringify(jwk), pem].flatMap((secret) =>
          ['HS256', 'EdDSA'].map((alg) => {
            const signed = `${encode({ ...header, alg })}.${encode(claims)}`;
            return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
          }),
        );
      }),
  },
  {
    name: 'shows keys signed with a key of its own',
    play: (attack) =>
      forge(attack, ({ header, claims }) => {
        const { privateKey, publicKey } = generateKeyPairSync('ed25519');
        const jwk = publicKey.export({ format: 'jwk' });
        const heads = [
          header,
          { ...header, jwk },
          { ...header, kid: 'mine', jwk },
          { ...header, jku: 'http://127.0.0.1/jwks.json' },
          { ...header, x5u: 'http://127.0.0.1/' },
          { ...header, crit: ['b64'], b64: false },
        ];
        return heads.map((head) => {
          const signed = `${encode(head)}.${encode(claims)}`;
          return `${signed}.${sign(null, Buffer.from(signed), privateKey).toString('base64url')}`;
        });
      }),
  },
  {
    name: 'shows keys under another key id',
    play: (attack) =>
      forge(attack, ({ header, parts }) =>
        [
          'other',
          '',
          '../../etc/passwd',
          "' or 1=1 --",
          '__proto__',
          'constructor',
          header.kid.toUpperCase(),
          `${header.kid} `,
        ].map((kid) => `${encode({ ...header, kid })}.${parts[1]}.${parts[2]}`),
      ),
  },
  {
    name: 'edits what a key says',
    play: (attack) =>
      forge(attack, ({ claims, parts, cheat }) => {
        const sub = createHash('sha256').update(`ks1|${cheat.hwid}`).digest('base64url');
        const edits = [
          { exp: claims.exp + 86_400 },
          { sub },
          { sub, exp: 9e9 },
          { aud: 'companion' },
          { jti: 'other' },
          { src: 'plan' },
          { iat: 0, nbf: 0 },
          { v: 2 },
          { __proto__: null },
        ];
        return edits
          .map((edit) => `${parts[0]}.${encode({ ...claims, ...edit })}.${parts[2]}`)
          .filter((key) => key !== parts.join('.'));
      }),
  },
  {
    name: 'cuts and bends the signature',
    play: (attack) =>
      forge(attack, ({ parts: [head, body, signature] }) => {
        const bytes = Buffer.from(signature, 'base64url');
        // The last character of 64 bytes in base64url has four unused bits, so another character gives the same
        // signature.
        const spelt = signature.slice(0, -1) + String.fromCharCode(signature.charCodeAt(signature.length - 1) + 1);
        const bent = Buffer.from(bytes.map((byte, at) => (at === 0 ? byte ^ 1 : byte))).toString('base64url');
        return [
          '',
          signature.slice(0, -2),
          `${signature}A`,
          `${signature}==`,
          spelt,
          bent,
          Buffer.alloc(64).toString('base64url'),
          signature.split('').reverse().join(''),
          `${signature}.x`,
        ].map((changed) => `${head}.${body}.${changed}`);
      }),
  },
  {
    name: 'shows the key of another device',
    async play({ player, exhibits, tries, expect, post }) {
      const cheat = player();
      for (const owner of exhibits) {
        for (const hwid of [
          cheat.hwid,
          owner.player.hwid.toUpperCase(),
          `${owner.player.hwid}0`,
          owner.player.hwid.slice(0, -1),
        ]) {
          const verdict = await tries(() =>
            post(cheat, '/api/key/verify', { key: owner.key, hwid, app: owner.player.app }),
          );
          expect(!/"valid":true/.test(verdict.text), `a key was good on ${hwid}, which is not its device`, 'keys');
        }
      }
    },
  },
  {
    name: 'shows the key of another app',
    async play({ player, exhibits, tries, expect, post }) {
      const cheat = player();
      for (const { key, player: owner } of exhibits) {
        // A call without an app means the main app.
        const others =
          owner.app === 'main'
            ? [{ app: 'companion' }]
            : [{}, { app: 'main' }, { app: null }, { app: ['companion', 'main'] }];
        for (const other of others) {
          const verdict = await tries(() => post(cheat, '/api/key/verify', { key, hwid: owner.hwid, ...other }));
          expect(
            !/"valid":true/.test(verdict.text),
            `a key of ${owner.app} was good for ${JSON.stringify(other)}`,
            'keys',
          );
        }
      }
    },
  },
  {
    name: "asks for another device's key",
    async play({ player, exhibits, tries, expect }) {
      const cheat = player();
      for (const { player: owner } of exhibits) {
        const other = owner.app === 'main' ? 'companion' : 'main';
        for (const query of [
          `hwid=${owner.hwid}`,
          `hwid=${owner.hwid}&zone=${cheat.zone}`,
          `hwid=${owner.hwid}&zone=*`,
          `hwid=${owner.hwid}&zone=${owner.zone}&app=${other}`,
          `hwid=${cheat.hwid}&zone=${owner.zone}&app=${owner.app}`,
          `hwid=${owner.hwid}%00&zone=${owner.zone}`,
          `hwid[]=${owner.hwid}&zone=${owner.zone}`,
        ]) {
          const { text } = await tries(() => cheat.send(`/api/key?${query}`, { headers: {} }));
          expect(!text.includes('"active"'), `${query} brought the key of another device or app`, 'keys');
        }
      }
    },
  },
];

/** Has the server check forged keys, for the device that they name and for the cheat's own device. */
async function forge(
  { player, exhibits, jwk, random, tries, expect, post }: Attack,
  makeKeys: (original: Original) => string[],
): Promise<void> {
  const cheat = player();
  const owner = random.pick(exhibits);
  const parts = owner.key.split('.') as Original['parts'];
  const [header, claims] = [decode(parts[0]) as Original['header'], decode(parts[1]) as Original['claims']];
  for (const key of makeKeys({ parts, header, claims, jwk, cheat })) {
    for (const hwid of [owner.player.hwid, cheat.hwid]) {
      const { text } = await tries(() => post(cheat, '/api/key/verify', { key, hwid, app: owner.player.app }));
      expect(!/"valid":true/.test(text), `a forged key was taken for real: ${key}`, 'keys');
    }
  }
}
