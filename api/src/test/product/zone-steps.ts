import type { TestApi } from '#api/test/create-test-api.ts';
import { openBrowser } from '#api/test/speak-as.ts';
import { passCaptcha, walkStep, ZONE } from './visitor-steps.ts';

/** The zone that the app uses after its first one. */
export const NEW_ZONE = 'zone-2';

/** The key's status for an app that asks with this zone. */
export async function keyFor(api: TestApi, zone: string, app = 'main'): Promise<string> {
  const answer = (await (await api.ask(`/api/key?hwid=device-1234&zone=${zone}&app=${app}`)).json()) as {
    status: string;
  };
  return answer.status;
}

/** A browser whose run is at step 2, in the old zone. */
export async function beginRun(api: TestApi): Promise<TestApi> {
  const owner = openBrowser(api);
  await passCaptcha(owner);
  await walkStep(owner, { zone: ZONE });
  return owner;
}

/** Does the rest of a run. Returns the page that the last return leads to. */
export async function walkOn(browser: TestApi, from: number, options: Parameters<typeof walkStep>[1]): Promise<string> {
  let page = '';
  for (let step = from; step <= 6; step++) page = await walkStep(browser, { ...options, step });
  return page;
}
