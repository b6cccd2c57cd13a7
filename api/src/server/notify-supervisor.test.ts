import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { notifySupervisor } from './notify-supervisor.ts';
import { makeFolder } from '#api/test/make-folder.ts';

/** Puts a program in the place of systemd's own, which writes down what it is given and ends with this code. */
function plantProgram(code: number): () => string {
  const folder = makeFolder();
  const [program, said] = [join(folder, 'systemd-notify'), join(folder, 'said')];
  writeFileSync(program, `#!/bin/sh\necho "$NOTIFY_SOCKET $* $HWID_PEPPER" > '${said}'\nexit ${code}\n`, {
    mode: 0o755,
  });
  vi.stubEnv('PATH', folder);
  vi.stubEnv('HWID_PEPPER', 'a secret');
  return () => (existsSync(said) ? readFileSync(said, 'utf8') : '');
}

test.each(['READY=1', 'STOPPING=1'] as const)(
  'a supervisor is notified of %s, by a program without secrets in its environment',
  async (word) => {
    const heard = plantProgram(0);
    const warn = vi.fn();
    notifySupervisor('/run/supervisor', word, warn);

    await expect.poll(() => heard() !== '').toBe(true);
    expect(heard()).toBe(`/run/supervisor ${word} \n`);
    expect(warn).not.toHaveBeenCalled();
  },
);

test('a failed notification of the supervisor stops nothing', async () => {
  plantProgram(1);

  await expect(new Promise((warn) => notifySupervisor('/run/supervisor', 'READY=1', warn))).resolves.toBeInstanceOf(
    Error,
  );
});
