import { solveChallenge, type Challenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import type { Misbehaviour } from '#api/product/advertisers/sandbox/visit-page.ts';
import { createTestApi, type TestApi } from '#api/test/create-test-api.ts';

export const HWID = 'device-1234';
export const ZONE = 'zone-1';

/** The query that every page of the run and every call about it carries. */
export const WHO = `hwid=${HWID}&zone=${ZONE}`;

/** Longer than every advertiser's shortest stay. */
export const LONG_ENOUGH_MS = 30_000;

/** Solves a challenge of the server. Returns the token that the widget would send. */
export async function solveCaptcha(api: TestApi, { hwid = HWID, os = 'android' } = {}): Promise<string> {
  const res = await api.ask(`/api/captcha/challenge?hwid=${hwid}&os=${os}`);
  const challenge = (await res.json()) as Challenge;
  const solution = await solveChallenge({ challenge, deriveKey });

  return Buffer.from(JSON.stringify({ challenge, solution })).toString('base64');
}

export async function handIn(api: TestApi, token: string, { hwid = HWID, os = 'android' } = {}): Promise<string> {
  const res = await api.post('/api/v2/verify-captcha', {
    'g-recaptcha-response': token,
    hwid,
    OS: os,
    advertiser: 'linkvertise',
  });
  return res.text();
}

export async function passCaptcha(api: TestApi, who: { hwid?: string; os?: string } = {}): Promise<void> {
  const reply = await handIn(api, await solveCaptcha(api, who), who);
  if (reply !== 'true') throw new Error(`The captcha was not passed: ${reply}`);
}

interface StepOptions {
  hwid?: string;
  zone?: string;
  advertiser?: string;
  step?: number;
  companion?: boolean;
  /** The visitor's answer when their zone is not the run's. */
  run?: 'keep' | 'new' | 'stay';
  /** The system in the address; without it the server takes the default. */
  os?: string;
}

export async function openApi(options: Parameters<typeof createTestApi>[0] = {}): Promise<TestApi> {
  const api = await createTestApi(options);
  await passCaptcha(api);
  return api;
}

/** Returns the address that Complete leads to. */
export async function clickComplete(
  api: TestApi,
  { hwid = HWID, zone = ZONE, advertiser = 'linkvertise', step, companion = false, run, os }: StepOptions = {},
): Promise<string> {
  const query = new URLSearchParams({
    hwid,
    zone,
    ...(companion ? {} : { advertiser }),
    ...(os && { os }),
    ...(step ? { step: String(step) } : {}),
    ...(run ? { run } : {}),
  });
  const path = companion ? '/api/saverobux/keysystem' : '/api/keysystemv2';
  const res = await api.visit(`${path}?${query.toString()}`);
  return requireLocation(res);
}

/** Finishes at a fake advertiser. Returns the address that it sends the visitor back to. */
export async function finishAtAdvertiser(api: TestApi, link: string, how?: Misbehaviour): Promise<string> {
  return requireLocation(await leaveAdvertiser(api, link, how));
}

export async function leaveAdvertiser(api: TestApi, link: string, how?: Misbehaviour): Promise<Response> {
  const page = await api.visit(link);
  const html = await page.text();
  const action = /<form action="([^"]+)"/.exec(html)?.[1];
  if (action === undefined) throw new Error(`No advertiser's page at ${link}: ${html}`);

  const fields = [...html.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)].map(
    ([, name = '', value = '']): [string, string] => [name, value],
  );
  const query = new URLSearchParams(fields);
  if (how) query.set('how', how);
  return api.visit(`${action}?${query.toString()}`);
}

/** Does one step. Returns the page that the return leads to. */
export async function walkStep(api: TestApi, options: StepOptions = {}, how?: Misbehaviour): Promise<string> {
  const link = await clickComplete(api, options);
  api.pass(LONG_ENOUGH_MS);
  const returned = await finishAtAdvertiser(api, link, how);
  return requireLocation(await api.visit(returned));
}

/** Comes back `count` times with a proof that the advertiser refuses. */
export async function earnStrikes(api: TestApi, count: number): Promise<void> {
  for (let strikes = 0; strikes < count; strikes++) {
    const address = await walkStep(api, {}, 'wrong_proof');
    if (!address.includes('r=KS_PROOF')) throw new Error(`A refusal was expected, not ${address}.`);
  }
}

/** Does a whole run, with its captcha. */
export async function walkRun(api: TestApi, options: StepOptions = {}): Promise<void> {
  await passCaptcha(api, options.hwid === undefined ? {} : { hwid: options.hwid });
  const steps = options.companion ? 3 : 6;
  for (let step = 1; step <= steps; step++) await walkStep(api, { ...options, ...(step === 1 ? {} : { step }) });
}

export async function readState(api: TestApi, { hwid = HWID, zone = ZONE, app = 'main' } = {}) {
  const res = await api.ask(`/api/keysystem/state?hwid=${hwid}&zone=${zone}&app=${app}`);
  return (await res.json()) as Record<string, unknown>;
}

export function requireLocation(res: Response): string {
  const location = res.headers.get('location');
  if (location === null) throw new Error(`A redirect was expected, not ${res.status}.`);

  return location;
}
