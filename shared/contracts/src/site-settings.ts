import * as v from 'valibot';

/** Who checks that a visitor is no machine: our own widget, or a provider's with the site key it gave to the operator. */
const captchaSettingsSchema = v.variant('provider', [
  v.object({ provider: v.literal('altcha') }),
  v.object({ provider: v.literal('recaptcha'), siteKey: v.string(), scriptUrl: v.string() }),
]);
export type CaptchaSettings = v.InferOutput<typeof captchaSettingsSchema>;

/** What the operator configured for the pages; the server writes it into each one. */
export const siteSettingsSchema = v.object({
  /** The address that opens the game platform's app. */
  launchUrl: v.string(),
  /** How long a chunk may take before it counts as failed, in milliseconds. */
  chunkTimeoutMs: v.number(),
  /** Where the texts lie that change without a deploy, without a slash at the end. */
  contentUrl: v.optional(v.string(), '/content'),
  /** The same folder as a repository's contents API gives it, file by file, in base64. */
  contentApiUrl: v.optional(v.string(), '/content-api'),
  captcha: v.optional(captchaSettingsSchema, { provider: 'altcha' }),
});
export type SiteSettings = v.InferOutput<typeof siteSettingsSchema>;
