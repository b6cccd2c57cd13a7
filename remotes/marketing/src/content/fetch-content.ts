import { siteSettings } from '@app/platform';
import { textOfContents } from './contents-api.ts';

/** A text that an operator changes without a deploy. Rejects when there is none. */
export async function fetchContent(file: string): Promise<string> {
  return (await fetchOk(`${siteSettings().contentUrl}/${file}`)).text();
}

/** The same past every cache; where the file does not answer, by way of the repository's contents API. */
export async function fetchFreshContent(file: string): Promise<string> {
  const { contentUrl, contentApiUrl } = siteSettings();

  try {
    return await (await fetchOk(`${contentUrl}/${file}?t=${Date.now()}`)).text();
  } catch {
    return textOfContents(await (await fetchOk(`${contentApiUrl}/${file}`)).json());
  }
}

async function fetchOk(address: string): Promise<Response> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address} answered ${response.status}`);

  return response;
}
