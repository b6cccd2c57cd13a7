import * as v from 'valibot';

/** What the operator configured for the pages; the server writes it into each one. */
export const siteSettingsSchema = v.object({
  /** The address that opens the game platform's app. */
  launchUrl: v.string(),
  /** How long a chunk may take before it counts as failed, in milliseconds. */
  chunkTimeoutMs: v.number(),
  /** Where the texts lie that change without a deploy. */
  contentUrl: v.optional(v.string(), '/content'),
});
export type SiteSettings = v.InferOutput<typeof siteSettingsSchema>;

let settings: SiteSettings | undefined;

/** Makes the settings known, before anything is rendered: in the browser the shell does, on a server whoever renders there. */
export function provideSiteSettings(provided: SiteSettings): void {
  settings = provided;
}

/** @throws Error when nobody has provided the settings */
export function siteSettings(): SiteSettings {
  if (!settings) throw new Error('The site settings were not provided');

  return settings;
}
