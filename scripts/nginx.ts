import { canRun, run } from './run.ts';

const INSTALL = 'apt-get update && apt-get install -y --no-install-recommends nginx-light';

const isThere = () => canRun('nginx', ['-v']);

/**
 * Makes sure that nginx is installed, for the cluster. As root on Debian it installs Debian's package. Otherwise it prints
 * how to install it and ends the process.
 */
export async function ensureNginx(): Promise<void> {
  if (isThere()) return;

  if (canRun('apt-get') && process.getuid?.() === 0) {
    console.log(`Installing nginx: ${INSTALL}`);
    await run('sh', ['-c', `${INSTALL} >/dev/null`], { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } });
  }
  if (isThere()) return;

  console.error(`The cluster needs nginx. Install it, then try again: ${INSTALL}`);
  process.exit(1);
}
