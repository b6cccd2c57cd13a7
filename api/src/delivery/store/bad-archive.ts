/** What came in is no archive of a release. Its message is a sentence for the sender. */
export class BadArchive extends Error {
  override readonly name = 'BadArchive';
}
