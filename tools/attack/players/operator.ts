import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { World } from '../world/world.ts';

/** One of the resellers that a development server begins with. */
const RESELLER = 'sample-1';
const CODES = '500';
/** How long a player waits for a mail: as long as a busy machine may need to write all the mails before it. */
const MAIL_MS = 60_000;
const POLL_MS = 50;

/** The text of each mail by its file, which never changes once it is there. */
const texts = new Map<string, Promise<string>>();

/** Has the operator's command make codes for a plan of 30 days. */
export async function issueCodes({ folder, database }: Pick<World, 'folder' | 'database'>): Promise<string[]> {
  const asked = [
    'dist/api/ops.js',
    '--json',
    'licence',
    'issue',
    '--reseller',
    RESELLER,
    '--plan',
    'plus',
    '--count',
    CODES,
  ];
  const { stdout } = await promisify(execFile)(process.execPath, asked, {
    env: { ...process.env, NODE_ENV: 'development', DATA_DIR: join(folder, 'data'), ...database.settings },
  });
  return (JSON.parse(stdout) as { codes: string[] }).codes;
}

/** The texts of the mails that an address has got so far, in no order. */
async function readMails({ folder }: Pick<World, 'folder'>, email: string): Promise<string[]> {
  const outbox = join(folder, 'data', 'outbox');
  const names = await readdir(outbox).catch(() => []);
  const mails = await Promise.all(
    names.filter((name) => name.endsWith('.eml')).map((name) => readMail(join(outbox, name))),
  );
  return mails.filter((mail) => mail.includes(`To: ${email}`));
}

function readMail(path: string): Promise<string> {
  const text = texts.get(path) ?? readFile(path, 'utf8').then(decode);
  texts.set(path, text);
  return text;
}

/** Waits for the mail with a link to a page, and returns the newest token that was not there before. */
export async function waitForToken(world: Pick<World, 'folder'>, email: string, known: string[] = []): Promise<string> {
  const until = Date.now() + MAIL_MS;
  while (Date.now() < until) {
    const tokens = (await readMails(world, email)).flatMap((mail) => /#t=([\w-]{43})\b/.exec(mail)?.[1] ?? []);
    const token = tokens.find((candidate) => !known.includes(candidate));
    if (token !== undefined) return token;
    await wait(POLL_MS);
  }
  throw new Error(`No mail with a link has come to ${email}`);
}

/** Reads quoted-printable. */
function decode(mail: string): string {
  return mail
    .replace(/=\r?\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
