import { expect, test } from 'vitest';
import { createTestApi, type TestApi } from '#api/test/create-test-api.ts';

const HOUR = 60 * 60 * 1000;

const warnings = ({ logged }: TestApi) => logged.filter((line) => line.includes('TRUST_PROXY'));
const askThroughProxy = (api: TestApi) => api.ask('/healthz', { headers: { 'x-forwarded-for': '203.0.113.7' } });

test('an unconfigured proxy is logged as a warning once an hour', async () => {
  const api = await createTestApi({ trustedHops: 0 });
  await api.ask('/healthz');
  expect(warnings(api)).toEqual([]);

  for (let times = 0; times < 3; times++) await askThroughProxy(api);
  expect(warnings(api)).toHaveLength(1);
  expect(warnings(api)[0]).toContain('"level":40');
  expect(warnings(api)[0]).not.toContain('203.0.113.7');

  api.pass(HOUR);
  for (let times = 0; times < 3; times++) await askThroughProxy(api);
  expect(warnings(api)).toHaveLength(2);
});

test('a configured proxy causes no warning', async () => {
  const api = await createTestApi({ trustedHops: 1 });

  await askThroughProxy(api);

  expect(warnings(api)).toEqual([]);
});
