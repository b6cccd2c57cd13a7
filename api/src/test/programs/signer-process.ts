import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { generateSigningKey, readSigningKey } from '#api/foundation/crypto/signing-key.ts';
import { createSocketSigner } from '#api/foundation/crypto/socket-signer.ts';
import { makeFolder } from '#api/test/make-folder.ts';
import { dieWithParent } from '../../../../tools/machine/die-with-parent.mjs';

export const SIGNER_SECRET = 'known-to-the-signer-and-its-servers';

/** A place for a signer: a key in a file, and where the socket will be. */
export function makeSignerPlace(program: string) {
  const folder = makeFolder();
  const socket = join(folder, 'signer.sock');
  const file = join(folder, 'key.json');
  writeFileSync(file, generateSigningKey('test-key'), { mode: 0o600 });
  const { kid, publicJwk } = readSigningKey(readFileSync(file, 'utf8'));
  const key = { kid, publicJwk };

  /** Starts the process. It is ready when it has said that it listens. */
  async function start(settings: Record<string, string> = {}) {
    const { child, said, ended } = run({ SIGNER_SOCKET: socket, SIGNER_SECRET, SIGNING_KEY_FILE: file, ...settings });
    while (!said.out.includes('"listening"') && child.exitCode === null)
      await Promise.race([once(child.stdout ?? child, 'data'), ended]);
    return { child, said, ended };
  }

  function run(settings: Record<string, string>) {
    const child: ChildProcess = spawn(...dieWithParent(process.execPath, [program]), {
      env: settings,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const said = { out: '', err: '' };
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (said.out += text));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (said.err += text));
    const ended = once(child, 'exit');
    onTestFinished(async () => {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGKILL');
        await ended;
      }
    });
    return { child, said, ended };
  }

  return { folder, file, socket, key, start, signer: () => createSocketSigner(key, socket, SIGNER_SECRET) };
}

/** Sends text to a socket, and returns what comes back until the other side hangs up. */
export async function sendRaw(path: string, text: string | Buffer, { end = false } = {}): Promise<string> {
  const socket = connect({ path });
  let answer = '';
  socket.setEncoding('utf8').on('data', (part: string) => (answer += part));
  socket.on('error', () => undefined);
  socket.write(text);
  if (end) socket.end();
  await new Promise((done) => socket.once('close', done));
  return answer;
}
