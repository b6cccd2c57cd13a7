import { existsSync, lstatSync, readFileSync, unlinkSync } from 'node:fs';
import { connect, type Server } from 'node:net';
import { inspect } from 'node:util';
import { EnvError } from '#api/foundation/settings/env.ts';
import { calculateThumbprint } from '#api/foundation/crypto/public-jwk.ts';
import { readSigningKey } from '#api/foundation/crypto/signing-key.ts';
import { createLog } from '#api/foundation/telemetry/log.ts';
import { createSignerServer } from './create-signer-server.ts';
import { readSignerSettings } from './signer-settings.ts';

/** The new socket gets its mode from the umask: a later chmod would leave a moment open to others. */
const UMASK = { '600': 0o177, '660': 0o117 } as const;

/** Starts the signer: reads the keys, listens, and logs `listening`. SIGTERM or SIGINT stop it. */
async function main([option, file]: readonly string[]): Promise<void> {
  if (option === '--public' && file !== undefined) {
    const { publicJwk } = readSigningKey(readFileSync(file, 'utf8'));
    return void process.stdout.write(`${JSON.stringify(publicJwk)}\n`);
  }
  const settings = readSignerSettings(process.env);
  const {
    SIGNER_SOCKET: socket,
    SIGNER_SOCKET_MODE,
    SIGNER_SECRET: secret,
    SIGNER_MAX_PER_SECOND: maxPerSecond,
  } = settings;
  process.umask(UMASK[SIGNER_SOCKET_MODE]);
  const log = createLog();
  const server = createSignerServer({ ...settings, secret, maxPerSecond, log, now: Date.now });
  await listen(server, socket);

  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void server.close());
  server.on('close', () => log.info('stopped'));
  for (const { kid, publicJwk } of settings.keys)
    log.info({ kid, thumbprint: calculateThumbprint(publicJwk) }, 'signing');
  log.info({ socket }, 'listening');
}

/**
 * Listens on the socket. It takes the place of a socket that a killed signer has left.
 * @throws EnvError when another signer listens there, or something else is in its place
 */
async function listen(server: Server, path: string): Promise<void> {
  if (existsSync(path)) {
    if (await answers(path)) throw new EnvError(`SIGNER_SOCKET: another signer listens on ${path}`);
    unlinkSync(path);
  }
  await new Promise<void>((done, fail) => {
    server.once('error', (error) => fail(new EnvError(`SIGNER_SOCKET: ${error.message}`, { cause: error })));
    server.listen(path, done);
  });
}

/** Whether a process listens. A file that is no socket is refused, so it is never removed. */
function answers(path: string): Promise<boolean> {
  return new Promise((done, fail) => {
    const socket = connect({ path }, () => {
      socket.destroy();
      done(true);
    });
    socket.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNREFUSED' && lstatSync(path).isSocket()
        ? done(false)
        : fail(new EnvError(`SIGNER_SOCKET: ${path} cannot be used (${error.message})`, { cause: error })),
    );
  });
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${error instanceof EnvError ? error.message : inspect(error)}\n`);
  process.exit(1);
});
