import { fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A server that the bench measures. */
export interface BenchServer {
  url: string;
  stop(): Promise<void>;
}

/**
 * Starts the site on a free port, with its own data.
 * @param root the folder of the sources whose build is started
 */
export async function startSite(
  settings: Record<string, string> = {},
  root = '.',
): Promise<BenchServer & { pid: number; dataDir: string }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'bench-'));
  const child = fork('dist/api/main.js', {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { ...process.env, NODE_ENV: 'development', PORT: '0', DATA_DIR: dataDir, ...settings },
  });
  const baseUrl = await new Promise<string>((resolve, reject) => {
    child.once('message', (message: { baseUrl: string }) => resolve(message.baseUrl));
    child.once('exit', (code) => reject(new Error(`The site ended with ${code}`)));
  });

  return {
    url: baseUrl,
    pid: child.pid ?? 0,
    dataDir,
    async stop() {
      child.kill('SIGTERM');
      await new Promise((resolve) => child.once('exit', resolve));
      rmSync(dataDir, { recursive: true });
    },
  };
}
