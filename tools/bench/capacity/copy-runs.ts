import type { World } from '../../attack/world/world.ts';

/**
 * The columns of each table of a run that differ in every copy. Ids keep their length and grow with each copy, as real
 * ids grow with time; the rest is scattered, as hashes are.
 */
const TABLES: Record<string, { ids: readonly string[]; hashes: readonly string[] }> = {
  device: { ids: ['id'], hashes: ['hwid_hmac'] },
  captcha_pass: { ids: ['id'], hashes: ['hwid_hmac', 'token_hash', 'visitor_hmac', 'ip_hmac'] },
  run: { ids: ['id', 'device_id'], hashes: ['zone_hmac', 'visitor_hmac', 'ip_hmac'] },
  step_attempt: { ids: ['id', 'run_id'], hashes: ['token_hash', 'provider_ref', 'visitor_hmac', 'ip_hmac'] },
  access_key: { ids: ['jti', 'device_id', 'run_id'], hashes: [] },
  audit_event: { ids: ['subject'], hashes: ['hash'] },
};

/**
 * Copies every run of a PostgreSQL so many times, with its device, captcha, attempts, key and audit. No server may use
 * the database meanwhile, and none can afterwards: the copied audit is no chain.
 */
export async function copyRuns({ database }: Pick<World, 'database'>, copies: number): Promise<void> {
  for (const [table, { ids, hashes }] of Object.entries(TABLES)) {
    const changes = [
      ...ids.map((column) => `'${column}', overlay(${column} placing to_hex(x'3000'::int + copy) from 4 for 4)`),
      ...hashes.map((column) => `'${column}', overlay(${column} placing substr(md5(copy::text), 1, 6) from 1 for 6)`),
      ...(table === 'audit_event' ? ["'seq', seq + copy * (select max(seq) from audit_event)"] : []),
    ];
    await database.write(
      `insert into ${table} select (jsonb_populate_record(null::${table}, to_jsonb(old) || jsonb_build_object(${changes.join(', ')}))).*
       from generate_series(1, ${copies}) as copy, ${table} as old order by copy, ${ids[0]}`,
    );
  }
}
