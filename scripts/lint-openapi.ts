import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildDocument } from '../api/src/product/openapi/document.ts';
import { DEFAULT_LIMITS } from '../api/src/product/limits/limits.ts';
import { runAndKeep } from '../tools/machine/run.ts';

const REDOCLY = fileURLToPath(new URL('../node_modules/.bin/redocly', import.meta.url));

/**
 * node scripts/launch.mjs lint-openapi
 * Lints the reference for app authors with the recommended rules of Redocly, which also compare its examples with its
 * schemas. A warning fails as well.
 */
const folder = mkdtempSync(join(tmpdir(), 'openapi-'));
const [file, config] = ['openapi.json', 'redocly.yaml'].map((name) => join(folder, name)) as [string, string];
writeFileSync(file, JSON.stringify(buildDocument('https://site.example', DEFAULT_LIMITS), null, 2));
writeFileSync(config, 'extends: [recommended-strict]\n');
const { isOk } = await runAndKeep(REDOCLY, ['lint', '--config', config, file], {
  // Only the rules are wanted: no word to their maker, no look for a newer version.
  env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
});
rmSync(folder, { recursive: true });
if (!isOk) process.exit(1);
