import { appIdSchema, nonceSchema } from '@app/contracts/app-calls';
import { keyVerdictSchema } from '@app/contracts/key-system-schemas';
import * as v from 'valibot';
import { MAX_ANCHOR_AGE_DAYS, ANCHOR_TYPE, DAY_MS, utcDay } from '#api/foundation/audit/anchor.ts';
import { KEY_TYPE } from '#api/product/keys/key-token.ts';
import { NEVER_S, VERDICT_TYPE } from '#api/product/keys/verdict-token.ts';

/** A key is valid for a day at most, in seconds. */
const MAX_KEY_TTL_S = 24 * 60 * 60;
/** By how much the clocks of a server and of the signer may differ, in seconds. */
const CLOCK_SKEW_S = 300;

const wholeNumber = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
/** A SHA-256 in base64url. */
const hash = (what: string) => v.pipe(v.string(), v.regex(/^[\w-]{43}$/, `is no ${what}`));

/** The claims of a key, with the form of each. Anything else is not signed. */
const keySchema = v.strictObject({
  iss: v.pipe(v.string(), v.maxLength(300), v.regex(/^https?:\/\/[^/\s]+$/, 'is no origin')),
  aud: appIdSchema,
  sub: hash('device'),
  /** What `randomId` makes. */
  jti: v.pipe(v.string(), v.regex(/^[0-9a-f]{12}[\w-]{22}$/, 'is no id')),
  iat: wholeNumber,
  nbf: wholeNumber,
  exp: wholeNumber,
  src: v.picklist(['ads', 'plan']),
  v: v.literal(1),
});

const verdictSchema = v.strictObject({
  v: v.literal(1),
  nonce: nonceSchema,
  aud: appIdSchema,
  sub: hash('device'),
  key: hash('key'),
  code: keyVerdictSchema.entries.code,
  exp: v.nullable(wholeNumber),
  /** Servers of an earlier release leave it out. */
  nbf: v.optional(v.literal(NEVER_S)),
  iat: wholeNumber,
});

const anchorSchema = v.strictObject({
  day: v.pipe(v.string(), v.isoDate('is no day'), v.check(isDay, 'is no day')),
  first_seq: wholeNumber,
  last_seq: wholeNumber,
  last_hash: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/, 'is no hash')),
});

/** Whether the calendar has a day: it has no 31st of February. */
function isDay(text: string): boolean {
  const at = Date.parse(text);
  return !Number.isNaN(at) && utcDay(at) === text;
}

interface ClaimBounds {
  /** The only site that keys are signed for; undefined: any. */
  issuer: string | undefined;
  /** Epoch milliseconds. */
  now: number;
}

/** Accepted claims as the log names them: an id, and the row that an anchor vouches for. Otherwise why they are refused. */
export type CheckedClaims = { id: string; last_seq?: number; last_hash?: string } | { refused: string };

/** Decides whether claims may be signed. Only those of a key, of a verdict about one or of an anchor of the audit may. */
export function checkClaims(typ: unknown, claims: unknown, bounds: ClaimBounds): CheckedClaims {
  switch (typ) {
    case KEY_TYPE:
      return read('a key', keySchema, claims, (key) => checkKey(key, bounds));
    case VERDICT_TYPE:
      return read('a verdict', verdictSchema, claims, (verdict) => checkVerdict(verdict, bounds));
    case ANCHOR_TYPE:
      return read('an anchor', anchorSchema, claims, (anchor) => checkAnchor(anchor, bounds));
    default:
      return { refused: 'nothing of this type is signed' };
  }
}

/** A refusal names the wrong member, and never its value. */
function read<Schema extends v.GenericSchema>(
  what: string,
  schema: Schema,
  given: unknown,
  check: (claims: v.InferOutput<Schema>) => CheckedClaims,
): CheckedClaims {
  const claims = v.safeParse(schema, given);
  if (claims.success) return check(claims.output);
  return { refused: `no claims of ${what}: ${v.getDotPath(claims.issues[0]) ?? 'all'}` };
}

function checkKey(
  { iss, jti, iat, nbf, exp }: v.InferOutput<typeof keySchema>,
  { issuer, now }: ClaimBounds,
): CheckedClaims {
  if (issuer !== undefined && iss !== issuer) return { refused: 'the key is of another site' };
  if (!isCurrent(iat, now) || nbf !== iat) return { refused: 'the key is not of this moment' };
  if (exp <= iat || exp - iat > MAX_KEY_TTL_S) return { refused: 'the key does not end within a day' };
  return { id: jti };
}

/** A verdict that opens an app names a key that this server could have given. */
function checkVerdict(
  { nonce, code, exp, iat }: v.InferOutput<typeof verdictSchema>,
  { now }: ClaimBounds,
): CheckedClaims {
  if (!isCurrent(iat, now)) return { refused: 'the verdict is not of this moment' };
  const opens = code === 'VALID';
  if (opens && (exp === null || exp <= iat - CLOCK_SKEW_S || exp - iat > MAX_KEY_TTL_S + CLOCK_SKEW_S))
    return { refused: 'the key of the verdict does not end within a day' };
  return { id: nonce };
}

function isCurrent(iat: number, now: number): boolean {
  return Math.abs(iat - now / 1000) <= CLOCK_SKEW_S;
}

function checkAnchor(
  { day, first_seq, last_seq, last_hash }: v.InferOutput<typeof anchorSchema>,
  { now }: ClaimBounds,
): CheckedClaims {
  // The server's clock may be past midnight already.
  const sinceEnd = now - (Date.parse(day) + DAY_MS);
  if (sinceEnd < -CLOCK_SKEW_S * 1000) return { refused: 'the day has not ended' };
  if (sinceEnd > MAX_ANCHOR_AGE_DAYS * DAY_MS + CLOCK_SKEW_S * 1000) return { refused: 'the day is too long ago' };
  if (first_seq < 1 || last_seq < first_seq - 1) return { refused: 'the anchor ends before it begins' };
  return { id: day, last_seq, last_hash };
}
