import * as v from 'valibot';

/** The folder of a shell's release with the packages that units in repositories of their own install. */
export const PACKS_FOLDER = 'packs';

/** What `GET /api/packs` lists: the name of a package → the address of its tarball on the site, which never changes. */
export const packsSchema = v.object({
  packs: v.record(
    v.pipe(v.string(), v.regex(/^@app\/[a-z-]+$/)),
    v.pipe(v.string(), v.regex(/^\/releases\/shell\/packs\/[a-z-]+\.[0-9a-f]{8}\.tgz$/)),
  ),
});
export type Packs = v.InferOutput<typeof packsSchema>['packs'];
