import { createHash } from 'node:crypto';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { expect, test } from 'vitest';
import { noFindings, type Finding } from '../report.ts';
import { subjectOf } from '../world/product.ts';
import { consultOracle } from './run-oracle.ts';
import type { Ticket } from '../world/world.ts';

const T0 = 1_800_000_000_000;
const DWELL_MS = 400;
const HWID = 'device-1234';
const { privateKey, publicKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true });
const other = await generateKeyPair('EdDSA', { crv: 'Ed25519' });

type Attempt = ReturnType<typeof makeAttempt>;
type Key = Awaited<ReturnType<typeof keyFor>>;

/** The rows of the tables, and the records of captchas, tickets and advertisers. */
interface Books {
  passes: [{ id: string; token_hash: string; hwid_hmac: string; consumed_at: number | null }];
  runs: Record<string, unknown>[];
  attempts: [Attempt, Attempt, Attempt];
  keys: [Omit<Key, 'run_id'> & { run_id: string | null }];
  events: { at: number }[];
  solved: Map<string, string>;
  tickets: Map<string, Ticket>;
  proofs: Map<string, { ref: string; at: number }>;
}

function makeAttempt(step: number) {
  return {
    id: `attempt-${step}`,
    run_id: 'run',
    step,
    advertiser_id: 'linkvertise',
    provider_ref: `proof-${step}`,
    token_hash: `ticket-${step}`,
    issued_at: T0 + step * 1000,
    verified_at: T0 + step * 1000 + DWELL_MS,
  };
}

/** One honest run of the companion app. */
async function finishRun(): Promise<Books> {
  const attempts: Books['attempts'] = [makeAttempt(1), makeAttempt(2), makeAttempt(3)];
  const completedAt = attempts[2].verified_at;
  return {
    passes: [{ id: 'pass', token_hash: 'captcha', hwid_hmac: 'hmac', consumed_at: T0 }],
    runs: [{ id: 'run', app_id: 'companion', hwid_hmac: 'hmac', state: 'completed', step: 3, steps_required: 3 }],
    attempts,
    keys: [await keyFor(HWID, completedAt)],
    events: record([
      ...attempts.map(({ run_id: run, step }): Change => ['attempt', 'verified', { run, step }]),
      ['key', 'issued', { jti: 'jti' }],
    ]),
    solved: new Map([['captcha', HWID]]),
    tickets: new Map(
      attempts.map(({ token_hash, issued_at }) => [token_hash, { hwid: HWID, app: 'companion', askedAt: issued_at }]),
    ),
    proofs: new Map(
      attempts.map(({ token_hash, provider_ref, verified_at }) => [token_hash, { ref: provider_ref, at: verified_at }]),
    ),
  };
}

async function keyFor(hwid: string, at: number, signingKey: CryptoKey = privateKey) {
  const iat = Math.floor(at / 1000);
  const jws = await new SignJWT({ jti: 'jti' })
    .setProtectedHeader({ alg: 'EdDSA', kid: 'test', typ: 'key+jws' })
    .setAudience('companion')
    .setSubject(subjectOf(hwid))
    .setIssuedAt(iat)
    .setExpirationTime(iat + 86_400)
    .sign(signingKey);
  return {
    jti: 'jti',
    app_id: 'companion',
    run_id: 'run',
    licence_id: null,
    jws,
    issued_at: iat * 1000,
    expires_at: (iat + 86_400) * 1000,
  };
}

type Change = [kind: string, code: string, detail: Record<string, string | number>];

function record(changes: readonly Change[]) {
  let prev_hash = '0'.repeat(64);
  return changes.map(([kind, code, detail], index) => {
    const event = { seq: index + 1, at: T0, kind, code, subject: null, detail: JSON.stringify(detail), prev_hash };
    const told = `{"at":${T0},"code":"${code}","detail":${event.detail},"kind":"${kind}","seq":${event.seq},"subject":null}`;
    prev_hash = createHash('sha256').update(`${event.prev_hash}\n${told}`).digest('base64url');
    return { ...event, hash: prev_hash };
  });
}

async function examine({ keys, runs, attempts, events, passes, solved, tickets, proofs }: Books) {
  const tables: Record<string, readonly unknown[]> = {
    access_key: keys,
    run: runs,
    step_attempt: attempts,
    captcha_pass: passes,
    audit_event: events,
  };
  const world = {
    dwellMs: DWELL_MS,
    findings: noFindings(),
    jwks: { keys: [{ ...(await exportJWK(publicKey)), kid: 'test' }] },
    solved,
    tickets,
    advertisers: {
      proofOf: (ticketHash: string, _advertiser: string, ref: string | null) =>
        [proofs.get(ticketHash)].find((proof) => proof?.ref === ref),
    },
    database: {
      rows: <Row>(sql: string) => Promise.resolve((tables[/from (\w+)/.exec(sql)?.[1] ?? ''] ?? []) as Row[]),
    },
  };
  return { earned: await consultOracle(world), found: world.findings };
}

/** The advertiser's own record of a proof, which a test may change. */
function proofOf({ proofs }: Books, ticket: string) {
  const proof = proofs.get(ticket);
  if (!proof) throw new Error(`No proof for ${ticket}`);
  return proof;
}

test('finds nothing in an honest run', async () => {
  const books = await finishRun();

  expect(await examine(books)).toEqual({ found: noFindings(), earned: new Set([books.keys[0].jws]) });
});

test.each<[what: string, finding: Finding, change: (books: Books) => unknown]>([
  ['a step without a proof', 'steps', (books) => books.proofs.delete('ticket-2')],
  ['a step with the proof of another visit', 'steps', (books) => (books.attempts[1].provider_ref = 'proof-1')],
  [
    'a proof that counted twice',
    'steps',
    (books) => {
      books.proofs.set('ticket-2', proofOf(books, 'ticket-1'));
      books.attempts[1].provider_ref = 'proof-1';
    },
  ],
  ['a step that took too little time', 'steps', (books) => (books.attempts[1].verified_at -= 1)],
  ['a step whose ticket was never given', 'steps', (books) => books.tickets.delete('ticket-3')],
  ['a ticket that had expired', 'steps', (books) => (books.attempts[0].verified_at += 3_600_000)],
  ['a proof from before the visit', 'steps', (books) => (proofOf(books, 'ticket-1').at = T0)],
  ['a key for two steps of three', 'keys', (books) => books.attempts.pop()],
  [
    'steps of two devices',
    'keys',
    (books) => books.tickets.set('ticket-2', { hwid: 'device-5678', app: 'companion', askedAt: T0 + 2000 }),
  ],
  ['a run without a captcha', 'keys', (books) => (books.passes[0].consumed_at = null)],
  ['a pass for a captcha that was not solved', 'keys', (books) => books.solved.clear()],
  ['a run that ended without a key', 'keys', (books) => books.keys.pop()],
  ['two keys of one run', 'keys', (books) => books.keys.push(books.keys[0])],
  ['a key without a run', 'keys', (books) => (books.keys[0].run_id = null)],
  [
    'a key that was signed with another key',
    'keys',
    async (books) => (books.keys[0] = await keyFor(HWID, T0 + 3400, other.privateKey)),
  ],
  ['a key for another device', 'keys', async (books) => (books.keys[0] = await keyFor('device-5678', T0 + 3400))],
  ['a key that was made at another time', 'keys', async (books) => (books.keys[0] = await keyFor(HWID, T0 + 60_000))],
  [
    'a row of the record that was changed',
    'rules',
    (books) => books.events.splice(1, 1, ...books.events.slice(1, 2).map((event) => ({ ...event, at: event.at + 1 }))),
  ],
  ['a row of the record that is missing', 'rules', (books) => books.events.splice(1, 1)],
  ['a credit that is not on record', 'rules', (books) => books.events.pop()],
])('finds %s', async (_what, finding, change) => {
  const books = await finishRun();
  await change(books);

  expect((await examine(books)).found[finding]).not.toEqual([]);
});
