import exampleSettings from '#api/product/advertisers/advertisers-settings.example.json' with { type: 'json' };
import { createTestApi } from '#api/test/create-test-api.ts';
import { passCaptcha, clickComplete } from './visitor-steps.ts';

const SECRET = exampleSettings.lootlabs.postbackSecret;
const ENCRYPTED = JSON.stringify({ type: 'fetched', message: 'abc%3D' });

/** A visitor who has left for LootLabs; the test itself plays LootLabs. */
export async function leaveForLootlabs() {
  const api = await createTestApi({ advertisers: exampleSettings, callProvider: () => Promise.resolve(ENCRYPTED) });
  await passCaptcha(api);
  const link = new URL(await clickComplete(api, { advertiser: 'lootlabs' }));
  const clickId = link.searchParams.get('puid') ?? '';
  const postBack = (query: Record<string, string>, secret = SECRET) =>
    api.ask(
      `/api/keysystem/postback/${secret}?${new URLSearchParams({ click_id: clickId, unique_id: 'task-1', ip: '192.0.2.1', ...query }).toString()}`,
    );

  return { api, postBack };
}
