import { join } from 'node:path';
import { migrate } from '#api/foundation/db/migrate.ts';
import { openDb } from '#api/foundation/db/open-db.ts';
import { EnvError, parseEnv } from '#api/foundation/settings/env.ts';
import { bindPepper } from '#api/foundation/visitors/pepper-check.ts';
import { loadLimits } from '#api/product/limits/limits.ts';
import { loadSecrets } from '#api/foundation/secrets/load-secrets.ts';
import { EXIT, type Output, startProgram } from '#api/ops/command-line.ts';
import { listScenarios, seed } from './scenarios.ts';
import { writeSampleMails } from './sample-mails.ts';

async function main([name]: readonly string[], { out, err }: Output): Promise<number> {
  const env = parseEnv(process.env);
  if (env.NODE_ENV === 'production') throw new EnvError('NODE_ENV: do not seed a production database');
  if (name === undefined) {
    out(listScenarios());
    return EXIT.done;
  }

  if (name === 'mails') {
    out(writeSampleMails(join(env.DATA_DIR, 'sample-mails'), new Date()));
    return EXIT.done;
  }

  const { pepper, signingKey } = loadSecrets(env);
  const db = openDb({ databaseUrl: env.DATABASE_URL, dataDir: env.DATA_DIR, hasTimeouts: false });
  try {
    await migrate(db);
    await bindPepper(db, pepper);
    const baseUrl = env.BASE_URL ?? `http://localhost:${env.PORT}`;
    const now = () => Date.now() + (env.TEST_CLOCK_OFFSET_MS ?? 0);
    const url = await seed({ db, pepper, signingKey, limits: loadLimits(env), baseUrl, now }, name);
    if (url === undefined) {
      err(`There is no scenario ${JSON.stringify(name)}.\n\n${listScenarios()}`);
      return EXIT.misused;
    }
    out(url);
    return EXIT.done;
  } finally {
    await db.destroy();
  }
}

startProgram(main);
