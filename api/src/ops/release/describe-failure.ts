const BROKEN = ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH'];
const NO_ADDRESS = ['ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'];

export function describeFailure(error: unknown, origin: string): string {
  if (error instanceof Error && error.name === 'TimeoutError')
    return `${origin} did not answer in time. Type the same again: what is done already is not done twice.`;

  const code = findCode(error);
  if (isRefusedConnection(error)) return `${saysRefused(origin)} Is the site running there?`;
  if (NO_ADDRESS.includes(code))
    return `${new URL(origin).hostname} cannot be found (${code}): check --to, and the network.`;
  if (isBrokenConnection(error))
    return `${saysBroken(origin)} Type the same again: what is done already is not done twice.`;
  if (/CERT|SIGNED|ALTNAME|ISSUER/.test(code)) return `The certificate of ${origin} is not valid (${code}).`;
  if (/SSL|TLS/.test(code)) return `${origin} does not speak https (${code}).`;
  return `${origin} cannot be reached (${code || String(error)}).`;
}

export function isBrokenConnection(error: unknown): boolean {
  return BROKEN.includes(findCode(error));
}

export function isRefusedConnection(error: unknown): boolean {
  return findCode(error) === 'ECONNREFUSED';
}

export function saysRefused(origin: string): string {
  return `Nothing answers at ${origin}.`;
}

export function saysBroken(origin: string): string {
  return `The connection to ${origin} broke before the answer.`;
}

/** The code of an error, or of what has caused it. */
function findCode(error: unknown): string {
  if (!(error instanceof Error)) return '';
  if ('code' in error && typeof error.code === 'string') return error.code;
  const [first] = error instanceof AggregateError ? (error.errors as unknown[]) : [];
  return findCode(error.cause ?? first);
}
