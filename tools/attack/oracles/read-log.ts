import type { World } from '../world/world.ts';

/** What may stand in no line of the log: devices, mail addresses, codes, keys, and the account with the provider. */
const SECRET_PATTERNS = [
  /device-[0-9a-f]{16}/,
  /@mail\.example/,
  /\b([0-9A-HJKMNP-TV-Z]{6}-){3}[0-9A-HJKMNP-TV-Z]{6}\b/i,
  /\beyJ[\w-]+\.[\w-]+\.[\w-]+/,
  /\b(whsec|sk_test)_/,
  /[#?&](t|token|code|email|hwid)=[\w%-]/,
];

/** The signatures of the audit's days stand in the log on purpose. */
const PUBLIC_LINE = '"job":"anchor"';

/** Errors that attacks cause on purpose: a rightly signed message that fits no order is for an operator. */
const EXPECTED_ERROR = '"msg":"a payment needs an operator"';

/** Looks for errors and secrets in the log of a server, and notes them as findings. */
export function readLog({ server, findings }: Pick<World, 'server' | 'findings'>): void {
  for (const line of server.logged()) {
    if (line.includes('"level":50') && !line.includes(EXPECTED_ERROR)) findings.errors.push(line.slice(0, 1000));
    for (const secret of SECRET_PATTERNS)
      if (secret.test(line) && !line.includes(PUBLIC_LINE)) findings.secrets.push(`${secret}: ${line.slice(0, 1000)}`);
  }
}
