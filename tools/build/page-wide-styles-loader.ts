import { relative } from 'node:path';
import type { LoaderContext } from '@rspack/core';
import { findPageWideStyles } from '../../shared/contracts/src/page-wide-styles.ts';

/** Names where a stylesheet of a remote would style pages of others. The site refuses a release with such rules. */
export default function pageWideStylesLoader(this: LoaderContext, source: string): string {
  const file = relative(this.rootContext, this.resourcePath);
  for (const { line, column, what } of findPageWideStyles(source, { isSource: true }))
    this.emitError(new Error(`${file}:${String(line)}:${String(column)}: ${what}`));
  return source;
}
