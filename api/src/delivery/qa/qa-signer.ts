import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { deriveSecret } from '#api/foundation/crypto/secrets.ts';

export type QaSigner = ReturnType<typeof createQaSigner>;

/** What a signature is for. One that was made for another purpose is refused. */
type Purpose = 'access' | 'key' | 'notice' | 'pins' | 'share';

/**
 * Signs what a browser keeps for QA. The secret depends on the access key, so another access key ends everything that
 * was signed with the one before.
 */
export function createQaSigner({ pepper, accessKey = '' }: { pepper: string; accessKey?: string | undefined }) {
  const secret = deriveSecret(pepper, `qa ${createHash('sha256').update(accessKey).digest('hex')}`);

  const digest = (purpose: Purpose, text: string) => createHmac('sha256', secret).update(`${purpose}|${text}`).digest();
  const sign = (purpose: Purpose, text: string) => digest(purpose, text).toString('base64url');
  const isSigned = (purpose: Purpose, text: string, signature: string) => {
    const right = Buffer.from(sign(purpose, text));
    const given = Buffer.from(signature);
    return given.length === right.length && timingSafeEqual(given, right);
  };

  return {
    sign,
    isSigned,

    /** Whether two secret texts are the same, in constant time. */
    isSame: (one: string, other: string) => timingSafeEqual(digest('key', one), digest('key', other)),

    /** Makes a signed text of some data. */
    seal(purpose: Purpose, data: object): string {
      const text = Buffer.from(JSON.stringify(data)).toString('base64url');
      return `${text}.${sign(purpose, text)}`;
    },

    /**
     * Reads a signed text.
     * @returns undefined when we have not signed it for this purpose
     */
    open(purpose: Purpose, sealed: string): unknown {
      // Of almost all browsers: their pages cost no HMAC.
      if (sealed === '') return undefined;
      const [text = '', signature = ''] = sealed.split('.');
      return isSigned(purpose, text, signature)
        ? JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
        : undefined;
    },
  };
}
