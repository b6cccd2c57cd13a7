import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip } from 'node:zlib';

/** The compressed twins that may lie beside a file of a release: the ending of each name, and what expands it. */
export const TWINS: Readonly<Record<string, () => Transform>> = { '.gz': createGunzip, '.br': createBrotliDecompress };
