import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { STEPS, verifyOffline, type App } from '../world/product.ts';
import type { World } from '../world/world.ts';

const TICKET_TTL_MS = 15 * 60_000;
/** How long after its ticket's end a step may be credited, because check and commit take time. */
const GRACE_MS = 15_000;
/** A server seals twice a second; a busy one may need longer. */
const SEALING_TIMEOUT_MS = 10_000;

interface KeyRow {
  jti: string;
  app_id: App;
  run_id: string | null;
  licence_id: string | null;
  jws: string;
  issued_at: number;
  expires_at: number;
}

interface EventRow {
  seq: number;
  at: number;
  kind: string;
  code: string;
  subject: string | null;
  detail: string;
  prev_hash: string;
  hash: string;
}

/** A run, with the device that it belongs to. */
interface RunRow {
  id: string;
  app_id: App;
  state: string;
  step: number;
  steps_required: number;
  hwid_hmac: string;
}

/** A verified attempt at a step. */
interface AttemptRow {
  id: string;
  run_id: string;
  step: number;
  advertiser_id: string;
  provider_ref: string | null;
  token_hash: string;
  issued_at: number;
  verified_at: number;
}

interface PassRow {
  id: string;
  token_hash: string;
  hwid_hmac: string;
  consumed_at: number | null;
}

/** The records of what really happened, access to the server's tables, and where to note what is wrong. */
export type Evidence = Pick<World, 'dwellMs' | 'jwks' | 'solved' | 'tickets' | 'findings'> & {
  advertisers: Pick<World['advertisers'], 'proofOf'>;
  database: Pick<World['database'], 'rows'>;
};

/**
 * Compares what the server credited with what really happened. It reads only the server's tables. Each step needs a
 * proof that an advertiser issued for its ticket. Each key needs a whole run of such steps and a captcha. Nothing may
 * count twice, and every credit has to be in the audit.
 * @returns the signed texts of the keys that were earned
 */
export async function consultOracle(world: Evidence): Promise<Set<string>> {
  const { database, findings: found } = world;
  const earned = new Set<string>();
  await untilSealed(database);
  const [keys, events, runs, attempts, solved] = await Promise.all([
    database.rows<KeyRow>('select * from access_key'),
    database.rows<EventRow>('select * from audit_event order by seq'),
    database.rows<RunRow>('select run.*, device.hwid_hmac from run join device on device.id = run.device_id'),
    database.rows<AttemptRow>("select * from step_attempt where state = 'verified' order by run_id, step"),
    database.rows<PassRow>('select * from captcha_pass'),
  ]);
  found.rules.push(...checkRecord(events, attempts, keys));
  const attemptsOf = Map.groupBy(attempts, (attempt) => attempt.run_id);
  const runOf = new Map(runs.map((run) => [run.id, run]));

  const spent = new Set<object>();
  for (const attempt of attempts) {
    for (const wrong of checkStep(world, attempt, spent))
      found.steps.push(`step ${attempt.step} of run ${attempt.run_id} by ${attempt.advertiser_id}: ${wrong}`);
  }
  for (const run of runs) {
    const steps = (attemptsOf.get(run.id) ?? []).map(({ step }) => step);
    const isInOrder = steps.every((step, index) => step === index + 1);
    const expected = run.state === 'completed' ? STEPS[run.app_id] : run.step - 1;
    if (!isInOrder || steps.length !== expected)
      found.steps.push(
        `run ${run.id} is ${run.state} at step ${run.step} of ${run.steps_required}, with proofs for ${JSON.stringify(steps)}`,
      );
    if (run.state === 'completed' && !keys.some((key) => key.run_id === run.id))
      found.keys.push(`run ${run.id} is completed, and has no key`);
  }

  const seen = new Set<string | null>();
  // The keys of plans are examined by the oracle of the checkout.
  for (const key of keys.filter(({ licence_id: licence }) => licence === null)) {
    const wrongs = await checkKey(world, key, runOf.get(key.run_id ?? ''), attemptsOf.get(key.run_id ?? '') ?? []);
    if (seen.has(key.run_id)) wrongs.push('the run has another key as well');
    seen.add(key.run_id);
    for (const wrong of wrongs) found.keys.push(`key ${key.jti}: ${wrong}`);
    if (wrongs.length === 0) earned.add(key.jws);
  }

  found.keys.push(...checkPasses(world, solved, runs));
  return earned;
}

/** Compares one credited step with the advertiser's own record. Returns what is wrong with it. */
function checkStep(world: Evidence, attempt: AttemptRow, spent: Set<object>): string[] {
  const ticket = world.tickets.get(attempt.token_hash);
  const proof = world.advertisers.proofOf(attempt.token_hash, attempt.advertiser_id, attempt.provider_ref);
  const stayedMs = attempt.verified_at - attempt.issued_at;
  const wrongs: string[] = [];

  if (!ticket) wrongs.push('its ticket was never given');
  if (!proof) wrongs.push(`the advertiser issued no such proof for its ticket: ${attempt.provider_ref}`);
  if (proof && spent.has(proof)) wrongs.push('its proof counted for another step, too');
  if (stayedMs < world.dwellMs) wrongs.push(`it was credited after ${stayedMs} ms`);
  if (attempt.verified_at > attempt.issued_at + TICKET_TTL_MS + GRACE_MS) wrongs.push(`its ticket had expired`);
  if (proof && (proof.at < attempt.issued_at - 1 || proof.at > attempt.verified_at + 1))
    wrongs.push('its proof is not from the time of the visit');
  if (ticket && attempt.issued_at < ticket.askedAt - 1) wrongs.push('it began before it was asked for');
  if (proof) spent.add(proof);
  return wrongs;
}

async function checkKey(
  world: Evidence,
  key: KeyRow,
  run: RunRow | undefined,
  attempts: readonly AttemptRow[],
): Promise<string[]> {
  const needed = STEPS[key.app_id];
  if (!run) return ['it has no run'];

  const tickets = attempts.map(({ token_hash }) => world.tickets.get(token_hash));
  const owner = tickets[0];
  const wrongs: string[] = [];
  if (attempts.length !== needed) wrongs.push(`it was given for ${attempts.length} of ${needed} steps`);
  if (attempts.some((attempt) => checkStep(world, attempt, new Set()).length > 0))
    wrongs.push('not every step of its run was earned');
  if (attempts.some((attempt, index) => attempt.issued_at < (attempts[index - 1]?.verified_at ?? 0)))
    wrongs.push('a step was begun before the one ahead of it was done');
  if (run.state !== 'completed') wrongs.push(`its run is ${run.state}`);
  if (!owner || tickets.some((ticket) => ticket?.hwid !== owner.hwid || ticket.app !== key.app_id))
    wrongs.push('the steps of its run were done for several devices or apps');

  try {
    const claims = await verifyOffline(
      world.jwks,
      { app: key.app_id, hwid: owner?.hwid ?? '' },
      key.jws,
      key.issued_at,
    );
    const last = attempts.at(-1)?.verified_at ?? 0;
    if (claims.jti !== key.jti || claims.exp * 1000 !== key.expires_at)
      wrongs.push('it says another thing than its row');
    if (Math.abs(claims.iat * 1000 - last) > 1000) wrongs.push('it was not made when its last step was done');
  } catch (error) {
    wrongs.push(`it does not verify: ${error instanceof Error ? error.message : String(error)}`);
  }
  return wrongs;
}

/** Checks that each run used up one captcha that was solved for its device. Returns what is wrong. */
function checkPasses(world: Evidence, passes: readonly PassRow[], runs: readonly RunRow[]): string[] {
  const isUsed = passes.filter(({ consumed_at: at }) => at !== null);
  const used = Map.groupBy(isUsed, (pass) => pass.hwid_hmac);
  const opened = Map.groupBy(runs, (run) => run.hwid_hmac);
  const wrongs = passes
    .filter(({ token_hash: hash }) => !world.solved.has(hash))
    .map(({ id }) => `pass ${id} was given for a captcha that was not solved`);

  for (const [device, { length }] of opened) {
    const paid = used.get(device)?.length ?? 0;
    if (paid !== length) wrongs.push(`device ${device} opened ${length} runs with ${paid} captchas`);
  }
  return wrongs;
}

/** Checks that the audit has no gap, that its hash chain is right, and that it has one row for each credit. */
function checkRecord(events: readonly EventRow[], attempts: readonly AttemptRow[], keys: readonly KeyRow[]): string[] {
  const wrongs: string[] = [];
  let last = { seq: 0, hash: '0'.repeat(64) };
  for (const event of events) {
    const { seq, at, kind, code, subject, detail } = event;
    const told = `{"at":${at},"code":${JSON.stringify(code)},"detail":${detail},"kind":${JSON.stringify(kind)},"seq":${seq},"subject":${JSON.stringify(subject)}}`;
    const hash = createHash('sha256').update(`${last.hash}\n${told}`).digest('base64url');
    if (seq !== last.seq + 1 || !last.hash.startsWith(event.prev_hash) || event.hash !== hash)
      wrongs.push(`row ${seq} of the record does not follow row ${last.seq}`);
    last = event;
  }

  const recorded = (kind: string, code: string, ...members: string[]) =>
    events
      .filter((event) => event.kind === kind && event.code === code)
      .map(({ detail }) => members.map((member) => (JSON.parse(detail) as Record<string, unknown>)[member]).join(' '));
  const pairs: [what: string, onRecord: string[], inTables: string[]][] = [
    ['step', recorded('attempt', 'verified', 'run', 'step'), attempts.map(({ run_id: run, step }) => `${run} ${step}`)],
    ['key', recorded('key', 'issued', 'jti'), keys.map(({ jti }) => jti)],
  ];
  for (const [what, onRecord, inTables] of pairs) {
    if ([...onRecord].sort().join() !== [...inTables].sort().join())
      wrongs.push(`${onRecord.length} credits of a ${what} are on record, and ${inTables.length} in the tables`);
  }
  return wrongs;
}

/**
 * Waits until the server has sealed what is on record into the chain of the audit.
 * @throws Error when it does not in time
 */
export async function untilSealed(database: Evidence['database']): Promise<void> {
  const endsAt = Date.now() + SEALING_TIMEOUT_MS;
  while ((await database.rows('select id from audit_unsealed limit 1')).length > 0) {
    if (Date.now() > endsAt) throw new Error('The audit was not sealed in time');
    await wait(50);
  }
}
