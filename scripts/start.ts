import { forkServer } from '../tools/site/fork-server.ts';
import { buildOutdated } from '../tools/units/build-units.ts';
import { loadEnv } from '../tools/machine/load-env.ts';

loadEnv();
try {
  await buildOutdated();
} catch (error) {
  // The failed command has already printed the details.
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}

const server = forkServer({ stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => server.kill('SIGTERM'));
server.on('exit', (code) => process.exit(code ?? 1));
server.on('message', (message) => {
  const { type, baseUrl } = message as { type: string; baseUrl: string };
  // The links contain an invented device, which a production site must not get.
  if (type === 'listening' && process.env['NODE_ENV'] !== 'production') printLinks(baseUrl);
});

/** Prints some addresses to open first, with an invented device. */
function printLinks(baseUrl: string): void {
  const device = 'hwid=demo-device-0001&zone=demo-zone';

  console.log(`
  The site        ${baseUrl}/
  A key run       ${baseUrl}/key-system-1?${device}
  Its key         ${baseUrl}/api/key?${device}
  Companion run   ${baseUrl}/rosaverx/key-system-1?${device}
  Public keys     ${baseUrl}/.well-known/jwks.json
`);
}
