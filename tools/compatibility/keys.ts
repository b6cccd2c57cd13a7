import { execFileSync } from 'node:child_process';
import { openProduct } from './product.ts';
import { ask, compileGo, folderOf, ofDebian, PERL, programPath, PYTHON } from './programs.ts';
import { runTable, type RunTool } from './run.ts';

/** How many seconds a clock is wrong. */
const SHIFTS_S = [0, 1, 30, 59, 60, 61, 119, 120, 299, 300, 301];
const DAY_S = 24 * 60 * 60;

const OF_NPM = ['jose', 'fast-jwt', 'jsonwebtoken', 'aws-jwt-verify', 'hono', '@tsndr/cloudflare-worker-jwt'];

/** By the names of the tools: the package of Debian, and the program of `programs/` that uses it. */
const OF_DEBIAN: Record<string, [debian: string, command: string, program: string, ...args: string[]]> = {
  PyJWT: ['python3-jwt', PYTHON, 'keys.py', 'PyJWT'],
  Authlib: ['python3-authlib', PYTHON, 'keys.py', 'Authlib'],
  jwcrypto: ['python3-jwcrypto', PYTHON, 'keys.py', 'jwcrypto'],
  'python-jose': ['python3-jose', PYTHON, 'keys.py', 'python-jose'],
  'ruby-jwt': ['ruby-jwt', 'ruby', 'keys.rb', 'ruby-jwt'],
  'json-jwt': ['ruby-json-jwt', 'ruby', 'keys.rb', 'json-jwt'],
  'Crypt::JWT': ['libcrypt-jwt-perl', PERL, 'keys.pl', 'Crypt::JWT'],
  'Mojo::JWT': ['libmojo-jwt-perl', PERL, 'keys.pl', 'Mojo::JWT'],
  'PHP with sodium': ['php-cli', 'php', 'keys.php'],
  'lua-cjson (Lua 5.1)': ['lua-cjson', 'lua5.1', 'keys.lua', 'samples/lua/verify-key.lua'],
  'lua-cjson (Lua 5.4)': ['lua-cjson', 'lua5.4', 'keys.lua', 'samples/lua/verify-key.lua'],
};

const OF_GO: Record<string, string> = {
  'golang-jwt': 'golang-github-golang-jwt-jwt-dev',
  'go-jose': 'golang-gopkg-square-go-jose.v2-dev',
};

interface Sample {
  key: string;
  /** What the server has signed about the key and another device. */
  verdict: string;
  hwid: string;
  jwks: { keys: object[] };
  /** In seconds. */
  nbf: number;
  exp: number;
}

/**
 * Has libraries verify a key of the product. Their clocks are set to times around it.
 * @param only see `runTable`
 * @returns whether each does what docs/compatibility.md says
 */
export async function runKeys(only?: string): Promise<boolean> {
  const product = await openProduct();
  try {
    const { key, hwid } = await product.earnKey();
    const claims = JSON.parse(Buffer.from(key.split('.')[1] ?? '', 'base64url').toString()) as Sample;
    const asked = { key, hwid: 'another-device', app: 'companion', nonce: 'a-nonce-of-the-test' };
    const verdict = await askVerdict(product.site, asked);
    return await runTable('Verifying our keys', listTools({ ...claims, key, verdict, hwid, jwks: product.jwks }), only);
  } finally {
    await product.close();
  }
}

async function askVerdict(site: string, asked: object): Promise<string> {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${site}/api/key/verify`, { method: 'POST', headers, body: JSON.stringify(asked) });
  const { verdict } = (await answer.json()) as { verdict?: string };
  if (!verdict) throw new Error(`${answer.status} without a verdict`);
  return verdict;
}

function listTools(sample: Sample): Record<string, RunTool> {
  const tools: Record<string, RunTool> = {};
  for (const name of OF_NPM) {
    tools[name] = async (version) => {
      const folder = await folderOf(name, version);
      return { does: await play(sample, process.execPath, [programPath('keys.mjs'), name, folder]) };
    };
  }
  for (const [name, [debian, command, program, ...args]] of Object.entries(OF_DEBIAN)) {
    tools[name] = ofDebian(debian, () => play(sample, command, [programPath(program), ...args]));
  }
  for (const [name, debian] of Object.entries(OF_GO)) {
    tools[name] = ofDebian(debian, () => play(sample, compileGo('keys.go'), [name]));
  }
  tools['jose (C)'] = ofDebian('jose', () => {
    const does = execFileSync('jose', ['alg'], { encoding: 'utf8' }).includes('EdDSA')
      ? 'may know EdDSA'
      : 'cannot: no EdDSA';
    return Promise.resolve(does);
  });
  return tools;
}

/** Asks a program about a key at several times, and with several sets of public keys. */
async function play({ key, verdict, hwid, jwks, nbf, exp }: Sample, command: string, args: string[]): Promise<string> {
  const good = { key, hwid, jwks, app: 'companion', now: nbf + 1 };
  const [header, payload, signature = ''] = key.split('.');
  const shifts = [...SHIFTS_S, DAY_S];
  const cases = [
    good,
    { ...good, key: [header, payload, (signature.startsWith('A') ? 'B' : 'A') + signature.slice(1)].join('.') },
    { ...good, app: 'main' },
    // It was signed later than the key.
    { ...good, key: verdict, now: exp - 1 },
    // As WebCrypto exports them.
    { ...good, jwks: { keys: jwks.keys.map((one) => ({ ...one, alg: 'Ed25519' })) } },
    { ...good, plain: true },
    { ...good, plain: true, now: exp + DAY_S },
    ...shifts.map((shift) => ({ ...good, now: exp + shift })),
    ...shifts.map((shift) => ({ ...good, now: nbf - shift })),
  ];
  const told = ((await ask(command, args, cases)) as string[]).map(shorten);
  const [
    right = '',
    edited = '',
    otherApp = '',
    ofVerdict = '',
    exported = '',
    plain = '',
    plainLate = '',
    ...shifted
  ] = told;
  if (!isOk(right)) return `cannot: ${right}`;
  if (isOk(edited)) throw new Error('It accepts an edited key');

  const ends = describeShift(shifted.slice(0, shifts.length), 'until exp', '+');
  const begins = describeShift(shifted.slice(shifts.length), 'from nbf', '−');
  const words = [`verifies, ${begins === ends ? 'at any time' : `${begins} ${ends}`}`];
  if (isOk(otherApp)) words.push('does not look at aud');
  if (isOk(ofVerdict)) words.push('accepts a verdict as a key');
  if (!isOk(plain)) words.push(`without the line beside: “${plain}”`);
  if (isOk(plainLate) && ends !== ANY_TIME) words.push('without the line beside it accepts keys that have ended');
  if (right !== `ok ${exp}`) words.push(`gives exp as ${right.slice(3).replace(/\d{6,}(?=\D)/, '…')}`);
  if (!isOk(exported)) words.push(`with a set that says alg Ed25519: “${exported}”`);
  return words.join('; ');
}

const ANY_TIME = 'at any time';

const isOk = (told: string) => told.startsWith('ok ');

/** @param told what it says at each of the shifts */
function describeShift(told: string[], limit: string, sign: string): string {
  const last = told.findLastIndex(isOk);
  if (last === told.length - 1) return ANY_TIME;
  return SHIFTS_S[last] ? `${limit} ${sign} ${SHIFTS_S[last]} s` : limit;
}

/** The first line of an error, without what differs each time. */
function shorten(text: string): string {
  return (text.split('\n')[0] ?? '').replace(/ at \S+ line \d+\.$/, '').replace(/: \{.*$/, '');
}
